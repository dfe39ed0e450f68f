import {
  findVideoIds,
  type ReportBody,
  type TakedownBody,
  type TakedownLog,
} from "#contract/visitors/reports.ts";
import type { Language } from "#contract/site/languages.ts";
import type { Db } from "#server/db/connection.ts";
import { countCall } from "#server/db/write-counts.ts";
import { AppError, isNotFound } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newId } from "#server/lib/ids.ts";
import type { PrivateLinksService } from "#server/features/videos/private-links/private-links.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { isShownComment } from "./comments/comments.repository.ts";
import type { ReportSendersService } from "./report-senders.service.ts";
import * as repository from "./reports.repository.ts";

const hourMs = 3600 * 1000;
/** Maximum number of reports per address and hour, for all videos together and for one video. */
const maxPerHour = 20;
const maxPerVideo = 3;
/** Maximum number of reports and notices per address group and hour. Many people may share one. */
const maxPerGroup = 200;
/** Address keys change daily, so older keys identify no one. */
const addressMs = 24 * hourMs;

interface Sender {
  addressKey: string;
  /** See `Visitors.addressGroupKey`. */
  addressGroup: string;
  /** Language of the page with the form; null for the site's. */
  language: Language | null;
}

type FiledReport = Pick<
  Parameters<typeof repository.insertReports>[1][number],
  "kind" | "reason" | "comment_id"
> & {
  text: string;
  email: string | null;
  notice: {
    name: string;
    organisation: string;
    postalAddress: string;
    signature: string;
  } | null;
};

/** Accepts reports and takedown notices, and returns the log that visitors read. */
export function createNewReportsService(deps: {
  db: Db;
  clock: Clock;
  videos: VideosService;
  privateLinks: PrivateLinksService;
  settings: SettingsService;
  senders: ReportSendersService;
  /** Called after a report is stored. */
  onReport: () => void;
}) {
  const { db, clock, videos, privateLinks, settings, senders, onReport } = deps;

  async function findVideo(idOrSlug: string, isPrivate = false) {
    const reading = isPrivate
      ? privateLinks.get(idOrSlug)
      : videos.get(idOrSlug, { isAdmin: false });
    return reading.catch((error: unknown) => {
      if (isNotFound(error)) return null;
      throw error;
    });
  }

  async function file(
    found: readonly { id: string; title: string; slug: string }[],
    from: FiledReport,
    { addressKey, addressGroup, language }: Sender,
  ): Promise<string> {
    const now = clock.date();
    const rows = found.map((video) => ({
      ...from,
      language,
      id: newId(clock.now()),
      video_id: video.id,
      video_title: video.title,
      video_slug: video.slug,
      address_key: addressKey,
      outcome: null,
      assigned_to: null,
      created_at: now,
    }));
    const first = rows[0];
    if (first === undefined) throw new AppError("invalid", "Enter the URL of at least one video.");
    await db.transaction().execute(async (trx) => {
      await repository.clearAddressKeys(trx, new Date(clock.now() - addressMs));
      await repository.lockAddress(trx, addressKey);
      const { ofVideo, ofAll } = await repository.countReportsFrom(trx, addressKey, {
        videoId: first.video_id,
        since: new Date(clock.now() - hourMs),
      });
      if (ofVideo >= maxPerVideo || ofAll + rows.length > maxPerHour) {
        throw new AppError(
          "rate_limited",
          "Too many reports were sent from your network. Try again in an hour.",
          { retryAfterS: hourMs / 1000 },
        );
      }
      const limit = { max: maxPerGroup, nowMs: clock.now(), isHourly: true };
      await countCall(trx, `reports:${addressGroup}`, limit);
      await repository.insertReports(trx, rows);
      if (from.email !== null) await senders.ask(trx, from.email, addressKey, language);
    });
    onReport();
    return first.id;
  }

  return {
    /** @returns the report's reference. @throws AppError not_found, rate_limited. */
    async report(
      idOrSlug: string,
      { reason, text, email, comment }: ReportBody,
      sender: Sender,
    ): Promise<string> {
      const video = await findVideo(idOrSlug);
      if (video === null) throw new AppError("not_found", "Video not found");
      if (comment !== "" && !(await isShownComment(db, comment, video.id))) {
        throw new AppError("not_found", "This comment no longer exists.");
      }
      const about = {
        kind: comment === "" ? ("report" as const) : ("comment" as const),
        comment_id: comment === "" ? null : comment,
        reason,
        text,
        notice: null,
        email: email === "" ? null : email,
      };
      return file([video], about, sender);
    },

    /** @throws AppError invalid unless the address belongs to a video; rate_limited. */
    async takeDown(body: TakedownBody, sender: Sender): Promise<string> {
      const videos = new Map<string, { id: string; title: string; slug: string }>();
      for (const { line, video, isPrivate } of findVideoIds(body.addresses)) {
        const match = video === null ? null : await findVideo(video, isPrivate);
        if (match === null) {
          const message = `This URL isn't a video on this site: ${line.slice(0, 200)}`;
          throw new AppError("invalid", message, { issues: [{ path: "addresses", message }] });
        }
        videos.set(match.id, match);
      }
      const { name, organisation, postalAddress, signature } = body;
      const about = {
        kind: "takedown" as const,
        reason: body.ground,
        text: body.text,
        email: body.email,
        notice: { name, organisation, postalAddress, signature },
      };
      return file([...videos.values()], about, sender);
    },

    /** @throws AppError not_found unless the operator publishes it. */
    async listLog(): Promise<TakedownLog> {
      if (!(await settings.getPublic()).takedownLog) {
        throw new AppError("not_found", "This site doesn't publish a list of removals.");
      }
      const rows = await repository.listFollowedNotices(db);
      return rows.flatMap((row) =>
        row.outcome === null || row.resolvedAt === null
          ? []
          : [
              {
                at: row.resolvedAt.toISOString(),
                ground: row.reason,
                title: row.videoTitle,
                outcome: row.outcome,
                sender: row.notice?.organisation || null,
              },
            ],
      );
    },
  };
}

export type NewReportsService = ReturnType<typeof createNewReportsService>;
