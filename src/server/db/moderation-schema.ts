import type { ColumnType, Generated } from "kysely";
import type { Language } from "#contract/site/languages.ts";
import type { Notice, ReportKind, ReportOutcome, ReportState } from "#contract/visitors/reports.ts";
import type { NullableDate, Stamp } from "./column-types.ts";

export interface ReportsTable {
  id: string;
  kind: ReportKind;
  /** The video may be gone: its title and slug stay. */
  video_id: string;
  video_title: string;
  video_slug: string;
  comment_id: string | null;
  reason: string;
  text: string;
  email: string | null;
  /** Of the page that a report came from; null for the language of the site. */
  language: Language | null;
  notice: ColumnType<Notice | null, string | null, never>;
  state: Generated<ReportState>;
  outcome: ReportOutcome | null;
  assigned_to: string | null;
  /** See `Visitors.addressKey`; it is cleared after a day. */
  address_key: string | null;
  created_at: Stamp;
  resolved_at: NullableDate;
}

/** Addresses of senders of reports. */
export interface ReportSendersTable {
  /** In lower case. */
  email: string;
  token_hash: Buffer;
  asked_at: Date;
  confirmed_at: NullableDate;
}

export interface CommentsTable {
  id: string;
  video_id: string;
  visitor_id: string;
  name: string | null;
  /** Plain text. */
  text: string;
  state: "held" | "shown" | "removed";
  /** As that of reports. */
  address_key: string | null;
  created_at: Stamp;
}
