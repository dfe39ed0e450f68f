import { z } from "zod";
import { limits } from "#contract/limits.ts";
import type { Db } from "#server/db/connection.ts";
import { defineJob, type AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import { refusalOf, type Mailer } from "#server/lib/mailer.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { adReportCsv } from "../reports/ad-report-csv.ts";
import type { AdReports } from "../reports/ad-report.service.ts";
import { reportMailText } from "./report-mail-text.ts";
import * as repository from "./report-mails.repository.ts";
import type { ReportMailsService } from "./report-mails.service.ts";
import { lastPeriod } from "./report-periods.ts";

/** Maximum number of attempts, after which the address counts as undeliverable. */
const maxTries = 20;
const retryAfterMs = 9 * 60_000;

interface Deps {
  db: Db;
  clock: Clock;
  logger: Logger;
  mailer: Mailer;
  reports: Pick<AdReports, "readDays">;
  reportMails: Pick<ReportMailsService, "keyOf">;
  settings: Pick<SettingsService, "getPublic" | "siteUrl">;
}

/**
 * Sends each report once to each recipient, after its period has ended. Records a mail before
 * sending it: after a crash in between, a mail may be missing, but none is sent twice.
 */
export function createReportMailsJob(deps: Deps): AnyJobDefinition {
  const { db, clock, logger, mailer } = deps;
  return defineJob({
    name: "ads.mail-reports",
    payload: z.object({}),
    concurrency: 1,
    schedule: { cron: "*/10 * * * *", runsAtStart: true },
    async run(_payload, { signal }) {
      if (!mailer.isConfigured) return;
      let isChecked = false;
      for (const mail of await repository.listReportMails(db)) {
        const period = lastPeriod(mail.rhythm, clock.now());
        // The first report covers a period that ends after the mail was added.
        if (period.endedAtMs <= mail.createdAt.getTime()) continue;
        const triedBefore = new Date(clock.now() - retryAfterMs);
        const waiting = await repository.listWaiting(db, mail.id, period.from, triedBefore);
        if (waiting.length === 0) continue;
        if (!isChecked) {
          try {
            await mailer.check();
          } catch (error) {
            logger.warn({ err: error }, "reports wait: the mail server is away");
            return;
          }
          isChecked = true;
        }
        const write = await prepare(deps, mail, period);
        for (const recipient of waiting) {
          signal.throwIfAborted();
          const tries = await repository.claimSend(db, recipient.id, period.from, clock.date());
          if (tries === null) continue;
          const state = await mailer.send(write(recipient)).then(
            () => "sent" as const,
            (error: unknown) => {
              logger.warn({ err: error, reportMailId: mail.id }, "a report was not sent");
              const refusal = refusalOf(error);
              // The server may have accepted it before the connection broke.
              if (refusal === null) return "unknown" as const;
              return refusal === "later" && tries < maxTries ? "waiting" : "refused";
            },
          );
          await repository.settleSend(db, recipient.id, period.from, state, clock.date());
        }
      }
    },
  });
}

/** Prepares one period's message for each recipient. */
async function prepare(
  { settings, reports, reportMails }: Deps,
  mail: repository.StoredReportMail,
  period: ReturnType<typeof lastPeriod>,
) {
  const group = mail.campaignId === null ? "campaign" : "ad";
  const [report, { siteName }, siteUrl] = await Promise.all([
    reports.readDays(
      {
        from: period.from,
        to: period.to,
        advertiser: mail.advertiserId ?? undefined,
        campaign: mail.campaignId ?? undefined,
      },
      group,
    ),
    settings.getPublic(),
    settings.siteUrl(),
  ]);
  return ({ id, email }: { id: string; email: string }) => {
    // The key is in the URL fragment, which servers never log.
    const unsubscribeUrl = `${siteUrl}/partner/mails#${reportMails.keyOf(id)}`;
    const text = reportMailText({
      siteName: siteName ?? limits.defaultSiteName,
      name: mail.name,
      period,
      report,
      unsubscribeUrl,
      heading: group === "ad" ? "Ad" : "Campaign",
    });
    const file = {
      filename: `ad-report-${period.from}-${period.to}.csv`,
      content: adReportCsv(report),
      contentType: "text/csv; charset=utf-8",
    };
    return { to: email, ...text, attachments: [file], unsubscribeUrl };
  };
}
