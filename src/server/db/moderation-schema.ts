import type { ColumnType, Generated } from "kysely";
import type { Language } from "#contract/site/languages.ts";
import type { Notice, ReportKind, ReportOutcome, ReportState } from "#contract/visitors/reports.ts";
import type { NullableDate, Stamp } from "./column-types.ts";

export interface ReportsTable {
  id: string;
  kind: ReportKind;
  /** The video may no longer exist. Its title and slug stay. */
  video_id: string;
  video_title: string;
  video_slug: string;
  comment_id: string | null;
  reason: string;
  text: string;
  email: string | null;
  /** Language of the page with the report form; null for the site's language. */
  language: Language | null;
  notice: ColumnType<Notice | null, string | null, never>;
  state: Generated<ReportState>;
  outcome: ReportOutcome | null;
  assigned_to: string | null;
  /** See `Visitors.addressKey`. Cleared after a day. */
  address_key: string | null;
  created_at: Stamp;
  resolved_at: NullableDate;
}

/** Addresses of people who sent reports. */
export interface ReportSendersTable {
  /** In lower case. */
  email: string;
  /** Mailbox of the address, without a part after a plus sign. Null in rows of older versions. */
  mailbox: string | null;
  /** Keyed hash of the network that filed the report. Null in rows of older versions. */
  requester: string | null;
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
  /** Like the column of reports. */
  address_key: string | null;
  created_at: Stamp;
}
