import type {
  Comment,
  CommentBody,
  CommentList,
  SentComment,
} from "#contract/visitors/comments.ts";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { countCall } from "#server/db/write-counts.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newId } from "#server/lib/ids.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { foldLetters } from "#server/lib/names.ts";
import { foldConfusables } from "#server/lib/fold-confusables.ts";
import { insertReports } from "../reports.repository.ts";
import * as repository from "./comments.repository.ts";

/**
 * Matches addresses with a scheme, with www., or with a well-known ending. Limits the length of a
 * scheme, because every letter of a comment could start one.
 */
const links =
  /[a-z][a-z\d+.-]{0,30}:\/\/|\bwww\.|\b[\p{L}\d-]+\.(?:com|net|org|info|biz|io|me|tv|cc|co|ru|cn|xyz|top|site|shop|online|link|click|live)\b/giu;

/** Vowel signs of Arabic and Hebrew, and the tatweel, which only stretches a word. */
const optional = /[\p{M}&&[\p{scx=Arabic}\p{scx=Hebrew}]]|\u0640/gv;

/**
 * Normalises a text for comparison: unifies white space and spellings of a letter, and removes case,
 * optional signs and invisible characters.
 */
const fold = (text: string): string =>
  foldLetters(
    text
      .normalize("NFKC")
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
      .replace(/\s+/g, " ")
      .toLowerCase(),
  ).replace(optional, "");

const withoutSchemes = (text: string): string =>
  text.replace(/(?:[a-z][a-z\d+.-]{0,30}:\/\/)+(?:www\.)?\S*/giu, "://");

/**
 * Returns whether a comment must wait for a moderator because it has a listed word or too many
 * links.
 */
export function mustBeHeld(
  { name, text }: CommentBody,
  rules: { words: readonly string[]; maxLinks: number },
): boolean {
  const parts = [fold(name), fold(text)];
  const words = rules.words.map((word) => fold(word).trim()).filter((word) => word !== "");
  if (words.some((word) => parts.some((part) => part.includes(word)))) return true;
  return (withoutSchemes(parts.join("\n")).match(links)?.length ?? 0) > rules.maxLinks;
}

/** Beginnings of words for site staff, in the languages of the public pages. */
const staffWords = [
  ...["admin", "moderat", "moderad", "modérat", "админ", "модератор"],
  ...["管理者", "管理人", "モデレーター", "مشرف", "مدير"],
].map(foldConfusables);
/** Minimum length of a site name to search for in names. Shorter ones occur in too many names. */
const minContained = 4;

/** Returns whether a visitor's name contains a word for staff, or the name of the site. */
function looksLikeStaff(name: string, siteName: string): boolean {
  const whole = foldConfusables(name);
  if (whole === "") return false;
  const words = [...name.split(/[\s\p{P}\p{S}]+/u).map(foldConfusables), whole];
  if (words.some((word) => staffWords.some((staffWord) => word.startsWith(staffWord)))) return true;
  const site = foldConfusables(siteName);
  return site.length >= minContained ? whole.includes(site) : whole === site;
}

/** Beginnings of words that promise more than a visitor can, such as "Verified" and "Support". */
const officialWords = [
  ...["support", "staff", "verif", "official", "offiziell", "oficial", "officiel", "oficjaln"],
  ...["customerservice", "kundendienst", "helpdesk", "wsparci", "soporte", "suporte", "assistance"],
  ...["поддержк", "официальн", "公式", "サポート", "دعم", "رسمي"],
].map(foldConfusables);
const address = /@[\p{L}\d-]+\.|:\/\/|\bwww\.|[\p{L}\d-]\.[a-z]{2,}(\/|$)/iu;

/**
 * Returns whether a name could be taken for the site's own, or is an address. Unlike staff words,
 * these occur in honest names, so a moderator decides.
 */
function looksOfficial(name: string): boolean {
  const words = [...name.split(/[\s\p{P}\p{S}]+/u).map(foldConfusables), foldConfusables(name)];
  return (
    address.test(name) ||
    words.some((word) => officialWords.some((official) => word.startsWith(official)))
  );
}

/** Returns whether a visitor's name reads like one of these names. */
function isNameOf(name: string, names: readonly string[]): boolean {
  const whole = foldConfusables(name);
  return whole !== "" && names.some((each) => foldConfusables(each) === whole);
}

const staffNameMessage = "This name looks like a member of the site's staff. Choose another name.";
const pageSize = 20;
const minuteMs = 60_000;
/** Maximum number of comments per address, in ten minutes and in a day. */
const maxShort = 5;
const maxLong = 50;
/** Maximum number of comments per address group and hour. Many people may share one. */
const maxPerGroup = 200;

interface CommentSender {
  visitorId: string;
  addressKey: string;
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  /** True for signed-in back-office users, who may use staff names. */
  isStaff: boolean;
}

const present = ({ id, name, text, createdAt }: repository.CommentRow): Comment => ({
  id,
  name,
  text,
  createdAt: createdAt.toISOString(),
});

/** Reads and writes comments for visitors. Each call throws `not_found` if comments are off. */
export function createCommentsService(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
  settings: SettingsService;
  /** Returns the names of back-office users. */
  listStaffNames: () => Promise<readonly string[]>;
  /** Called when the queue has a new entry. */
  onReport: () => void;
}) {
  const { db, clock, videos, settings, listStaffNames, onReport } = deps;

  return {
    async list(idOrSlug: string, cursor: string | null): Promise<CommentList> {
      if ((await settings.getPublic()).comments === "off") throw noComments();
      const { id } = await videos.get(idOrSlug, { isAdmin: false });
      const page = { before: cursor, limit: pageSize + 1 };
      const rows = await repository.listComments(db, id, page);
      const shown = rows.slice(0, pageSize);
      const nextCursor = rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null;
      return { comments: shown.map(present), nextCursor };
    },

    /** @throws AppError rate_limited; conflict for a name that looks like a staff name. */
    async post(
      idOrSlug: string,
      body: CommentBody,
      { visitorId, addressKey, addressGroup, isStaff }: CommentSender,
    ): Promise<SentComment> {
      const rules = await settings.readFresh();
      if (rules.comments === "off") throw noComments();
      const video = await videos.get(idOrSlug, { isAdmin: false });
      const siteName = rules.siteName ?? limits.defaultSiteName;
      if (!isStaff && looksLikeStaff(body.name, siteName)) {
        throw new AppError("conflict", staffNameMessage, {
          issues: [{ path: "name", message: staffNameMessage }],
        });
      }
      // Users' names are held instead of refused. Refused comments don't count towards the limit, so
      // they would let visitors guess the names.
      const isHeld =
        rules.comments === "held" ||
        mustBeHeld(body, { words: rules.commentWords, maxLinks: rules.commentLinks }) ||
        (!isStaff && (looksOfficial(body.name) || isNameOf(body.name, await listStaffNames())));
      const now = clock.now();
      const createdAt = clock.date();
      const row = {
        id: newId(now),
        name: body.name === "" ? null : body.name,
        text: body.text,
        createdAt,
      };
      await db.transaction().execute(async (trx) => {
        await repository.lockCommentAddress(trx, addressKey);
        const sent = await repository.countCommentsFrom(trx, addressKey, {
          short: new Date(now - 10 * minuteMs),
          long: new Date(now - 24 * 60 * minuteMs),
        });
        if (sent.short >= maxShort || sent.long >= maxLong) {
          throw new AppError(
            "rate_limited",
            "Too many comments were sent from your network. Try again later.",
            { retryAfterS: 600 },
          );
        }
        const limit = { max: maxPerGroup, nowMs: now, isHourly: true };
        await countCall(trx, `comments:${addressGroup}`, limit);
        const state = isHeld ? "held" : "shown";
        await repository.insertComment(trx, {
          ...row,
          videoId: video.id,
          visitorId,
          addressKey,
          state,
        });
        if (!isHeld) return;
        await insertReports(trx, [
          {
            id: newId(now),
            kind: "comment",
            reason: "held",
            text: "",
            email: null,
            video_id: video.id,
            video_title: video.title,
            video_slug: video.slug,
            comment_id: row.id,
            notice: null,
            address_key: null,
            outcome: null,
            assigned_to: null,
            created_at: createdAt,
          },
        ]);
      });
      if (isHeld) onReport();
      return { comment: isHeld ? null : present(row) };
    },
  };
}

export type CommentsService = ReturnType<typeof createCommentsService>;

const noComments = () => new AppError("not_found", "Comments are turned off on this site.");
