import { clickThroughRate } from "../../contract/ad-rules.ts";
import type { AdReport, ReportFigures } from "../../contract/campaigns.ts";
import type { Period } from "./report-periods.ts";

interface ReportMailContent {
  siteName: string;
  /** Name of the campaign or the advertiser; null for the site. */
  name: string | null;
  period: Period;
  report: AdReport;
  /** Kind of the rows. */
  heading: "Campaign" | "Ad";
  unsubscribeUrl: string;
}

const whole = (value: number) => value.toLocaleString("en-US");
const heads = ["Impressions", "Viewable", "Clicks", "CTR", "Completes", "Errors", "Revenue"];

const valuesOf = (row: ReportFigures): string[] => [
  ...[row.impressions, row.viewable, row.clicks].map(whole),
  `${clickThroughRate(row.clicks, row.impressions).toFixed(2)}%`,
  ...[row.completes, row.errors].map(whole),
  row.revenue.map(({ amount, currency }) => `${amount.toFixed(2)} ${currency}`).join(" + ") || "–",
];

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Returns the message of one report, as text and as HTML with the same table. */
export function reportMailText(content: ReportMailContent) {
  const { siteName, name, period, report, heading, unsubscribeUrl } = content;
  const { from, to } = period;
  const days = from === to ? from : `${from} to ${to}`;
  const title = `Ad report for ${name ?? siteName}, ${days}`;
  const rows = report.rows.map((row) => [row.name || "Ads without a campaign", ...valuesOf(row)]);
  const total = ["Total", ...valuesOf(report.totals)];
  const notes = [
    "Days are in UTC. Robots and unverified events appear only in the attached file.",
    `You receive this email because the operator of ${siteName} added your address. Unsubscribe: ${unsubscribeUrl}`,
  ];

  const lines = [total, ...rows].map(([first = "", ...values]) =>
    [first, ...values.map((value, at) => `  ${heads[at] ?? ""}: ${value}`)].join("\n"),
  );
  const text = `${[title, ...lines, ...notes].join("\n\n")}\n`;

  const cell = (tag: "td" | "th", value: string, isFirst: boolean) =>
    `<${tag} style="padding:6px 10px;border-bottom:1px solid #ccc;text-align:${isFirst ? "start" : "end"}">${escape(value)}</${tag}>`;
  const line = (tag: "td" | "th", values: readonly string[]) =>
    `<tr>${values.map((value, at) => cell(tag, value, at === 0)).join("")}</tr>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:14px">
<h1 style="font-size:18px">${escape(title)}</h1>
<table style="border-collapse:collapse"><thead>${line("th", [heading, ...heads])}</thead>
<tbody>${rows.map((values) => line("td", values)).join("\n")}</tbody>
<tfoot>${line("th", total)}</tfoot></table>
<p>${escape(notes[0] ?? "")}</p>
<p>You receive this email because the operator of ${escape(siteName)} added your address. <a href="${escape(unsubscribeUrl)}">Unsubscribe</a></p>
</body></html>
`;
  return { subject: `${siteName}: ${title}`, text, html };
}
