import { z } from "zod";
import { emailAddress } from "../accounts/auth.ts";
import { pageQuery } from "../lists/paging.ts";
import { visibleOrEmpty } from "../text.ts";
import { splitLanguage } from "../site/translated-pages.ts";

/** Reasons for reporting a video, in the order of the form. */
export const reportReasons = [
  "illegal",
  "children",
  "privacy",
  "violence",
  "misleading",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];

/**
 * Reason of reports that the site files itself, because a video's pictures match those of a blocked
 * file.
 */
export const similarReason = "similar";

/** Right or law that a takedown notice names. */
export const takedownGrounds = ["copyright", "trademark", "personality", "court", "law"] as const;
export type TakedownGround = (typeof takedownGrounds)[number];

/** `comment` is a comment that a visitor reported or that waits for a moderator. */
export const reportKinds = ["report", "takedown", "comment"] as const;
export type ReportKind = (typeof reportKinds)[number];
export const reportStates = ["open", "in_review", "resolved"] as const;
export type ReportState = (typeof reportStates)[number];
const reportOutcomes = ["dismissed", "unpublished", "removed", "blocked"] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];

export const reportTextMax = 4000;
/** Maximum number of videos in one notice. */
const noticeVideosMax = 20;

/** Treats a text with only invisible characters as empty. */
const text = (max: number) =>
  z.string().trim().max(max, `At most ${max} characters`).transform(visibleOrEmpty);
const requiredText = (max: number, message: string) => text(max).pipe(z.string().min(1, message));
/**
 * Accepts forms submitted without scripts, which send "on" for a checked box and "" for an empty
 * field.
 */
const isChecked = (message: string) => z.union([z.literal(true), z.literal("on")], message);

export const reportBody = z.object({
  reason: z.enum(reportReasons, "Choose a reason"),
  text: text(reportTextMax).default(""),
  email: z
    .union([z.literal(""), emailAddress], "Enter a valid email address or leave this empty")
    .default(""),
  /** Id of a comment on the video, if the report is about that comment. */
  comment: z.union([z.literal(""), z.uuid()]).default(""),
});
export type ReportBody = z.infer<typeof reportBody>;

export const takedownBody = z.object({
  ground: z.enum(takedownGrounds, "Choose what the notice is about"),
  addresses: requiredText(4000, "Enter the URL of each video"),
  text: requiredText(reportTextMax, "Describe what is infringed"),
  name: requiredText(200, "Enter your name"),
  organisation: text(200).default(""),
  email: emailAddress,
  postalAddress: text(500).default(""),
  isInGoodFaith: isChecked("This must be confirmed"),
  isAccurate: isChecked("This must be confirmed"),
  signature: requiredText(200, "Sign with your full name"),
});
export type TakedownBody = z.infer<typeof takedownBody>;

/** Returns the path of an address as copied from a browser or typed, with or without a scheme. */
const pathOf = (address: string): string =>
  URL.parse(/^https?:/i.test(address) ? address : `https://${address}`)?.pathname ?? "";

/**
 * Reads a text with one video address per line. Returns the slug or id of each video, or the secret
 * of its private link. Returns null for a line that isn't a video's address.
 */
export function findVideoIds(
  addresses: string,
): { line: string; video: string | null; isPrivate: boolean }[] {
  const lines = addresses.split(/\s+/).filter((line) => line !== "");
  return lines.slice(0, noticeVideosMax + 1).map((line, index) => {
    const path = line.startsWith("/") ? line : pathOf(line);
    const [, kind, encoded] =
      /^\/(video|feed|embed|private)\/([^/?#]{1,600})\/?(?:[?#]|$)/.exec(splitLanguage(path).url) ??
      [];
    const isPrivate = kind === "private";
    if (encoded === undefined || index >= noticeVideosMax) return { line, video: null, isPrivate };
    try {
      return { line, video: decodeURIComponent(encoded), isPrivate };
    } catch {
      return { line, video: null, isPrivate };
    }
  });
}

/** Parties of a takedown notice, in addition to the fields of every report. */
const notice = z.object({
  name: z.string(),
  organisation: z.string(),
  postalAddress: z.string(),
  signature: z.string(),
});
export type Notice = z.infer<typeof notice>;

/** Response to the sender of a report. */
export const filedReport = z.object({ reference: z.string() });

const assignee = z.object({ id: z.uuid(), email: z.string(), name: z.string() });
export type Assignee = z.infer<typeof assignee>;
export const assignees = z.array(assignee);

const report = z.object({
  id: z.uuid(),
  kind: z.enum(reportKinds),
  reason: z.string(),
  text: z.string(),
  /** Also null for users who may only read. */
  email: z.string().nullable(),
  notice: notice.nullable(),
  state: z.enum(reportStates),
  outcome: z.enum(reportOutcomes).nullable(),
  assignee: assignee.nullable(),
  video: z.object({
    id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    isRemoved: z.boolean(),
    isPublished: z.boolean(),
  }),
  /** Null for other kinds, and after the comment has been deleted. */
  comment: z
    .object({
      name: z.string().nullable(),
      text: z.string(),
      state: z.enum(["held", "shown", "removed"]),
    })
    .nullable(),
  /** Number of other unresolved reports about the video or the comment. */
  others: z.number(),
  noteCount: z.number(),
  createdAt: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
});
export type Report = z.infer<typeof report>;

export const reportQuery = pageQuery.extend({
  state: z.enum(["unresolved", ...reportStates]).optional(),
  kind: z.enum(reportKinds).optional(),
  assigned: z.enum(["me", "none"]).optional(),
});
export type ReportQuery = z.infer<typeof reportQuery>;

export const reportList = z.object({
  reports: z.array(report),
  total: z.number(),
  /** Open items of all kinds, regardless of the filter. */
  open: z.number(),
});
export type ReportList = z.infer<typeof reportList>;

const note = z.object({
  id: z.uuid(),
  author: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
});
export const reportDetails = report.extend({ notes: z.array(note) });
export type ReportDetails = z.infer<typeof reportDetails>;

export const reportPatch = z.object({
  /** `open` also reopens a resolved report. */
  state: z.enum(["open", "in_review"]).optional(),
  assigneeId: z.uuid().nullable().optional(),
});
export type ReportPatch = z.infer<typeof reportPatch>;

export const noteBody = z.object({ text: requiredText(reportTextMax, "Write a note") });

const reportActions = ["dismiss", "unpublish", "remove", "block"] as const;
export type ReportAction = (typeof reportActions)[number];
export const actionBody = z.object({
  action: z.enum(reportActions),
  /** True to also dismiss the video's other reports. All other actions always resolve them. */
  all: z.boolean().optional(),
});
export type ActionBody = z.infer<typeof actionBody>;

export const blockedFiles = z.array(
  z.object({
    sha256: z.string(),
    sizeBytes: z.number(),
    videoTitle: z.string(),
    blockedBy: z.string(),
    createdAt: z.iso.datetime(),
  }),
);
export type BlockedFile = z.infer<typeof blockedFiles>[number];

/** Takedown notices that the site followed, readable by everyone. */
export const takedownLog = z.array(
  z.object({
    at: z.iso.datetime(),
    ground: z.string(),
    title: z.string(),
    outcome: z.enum(reportOutcomes),
    /** Organisation that sent the notice. Private senders aren't named. */
    sender: z.string().nullable(),
  }),
);
export type TakedownLog = z.infer<typeof takedownLog>;
