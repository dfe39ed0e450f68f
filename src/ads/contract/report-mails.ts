import { z } from "zod";

/** Frequencies of report mails. Days, weeks from Monday, and months are in UTC. */
export const reportRhythms = ["day", "week", "month"] as const;
export type ReportRhythm = (typeof reportRhythms)[number];

const optionalId = z.uuid("must be one of the list").nullable().optional();

/** Scope of the report: one campaign, one advertiser, or the whole site. */
export const reportMailInput = z.object({
  advertiserId: optionalId,
  campaignId: optionalId,
  rhythm: z.enum(reportRhythms, { error: `must be one of ${reportRhythms.join(", ")}` }),
  recipients: z
    .array(z.string().trim().max(254).pipe(z.email("must be email addresses")))
    .min(1, "Enter at least one email address")
    .max(20, "at most 20 email addresses"),
});
export type ReportMailInput = z.infer<typeof reportMailInput>;

const reportMail = z.object({
  id: z.uuid(),
  advertiserId: z.uuid().nullable(),
  campaignId: z.uuid().nullable(),
  /** Name of the campaign or the advertiser; null for the site. */
  name: z.string().nullable(),
  rhythm: z.enum(reportRhythms),
  /** Recipients who haven't unsubscribed. */
  recipients: z.array(z.string()),
  /** Period of the last mail, with the number of recipients who may have missed it. */
  last: z
    .object({
      periodStart: z.iso.date(),
      sent: z.number().int(),
      waiting: z.number().int(),
      failed: z.number().int(),
    })
    .nullable(),
});
export type ReportMail = z.infer<typeof reportMail>;
export const reportMailResponse = reportMail;
export const reportMailList = z.object({
  /** True if the site sends mail. */
  sendsMail: z.boolean(),
  mails: z.array(reportMail),
});

/** Secret part of the link by which a recipient unsubscribes. */
export const endReportMailBody = z.object({ key: z.string().min(1).max(200) });
export const endedReportMail = z.object({ email: z.string(), name: z.string().nullable() });
