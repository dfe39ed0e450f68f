import type { ReportRhythm } from "#ads/contract/report-mails.ts";

export const mailMessages = {
  heading: "Email reports",
  hint: "Daily, weekly or monthly stats, sent shortly after the period ends (UTC), with the data as a CSV file. Recipients can unsubscribe.",
  noMail: "This site can't send email. Set SMTP_URL and MAIL_FROM to send reports.",
  loadFailed: "Couldn't load the email reports.",
  empty: "No email reports yet.",
  add: "Add Report",
  addFailed: "Couldn't add the report.",
  removeFailed: "Couldn't remove the report.",
  ofSite: "The whole site",
  subject: "Stats for",
  rhythm: "Frequency",
  recipients: "Recipients",
  recipientsHint: "Email addresses, one per line",
  noRecipients: "None: everyone has unsubscribed",
  notSent: "Not sent yet",
  last: (periodStart: string, sent: number) => `${periodStart}: sent to ${sent.toLocaleString()}`,
  waiting: (count: number) => `${count.toLocaleString()} waiting`,
  failed: (count: number) => `${count.toLocaleString()} rejected by the mail server`,
  askRemove: (name: string) => `Stop sending stats for ${name}?`,
  remove: (name: string) => `Remove the report for ${name}`,

  endTitle: "Email reports",
  endText: "This site emails you ad reports.",
  end: "Unsubscribe",
  ending: "Unsubscribing...",
  ended: (email: string) => `${email} won't receive these reports anymore.`,
  endGone: "This link is no longer valid. You're already unsubscribed.",
  endFailed: "Couldn't unsubscribe you. Try again in a moment.",
} as const;

export const rhythmLabels: Record<ReportRhythm, string> = {
  day: "Daily",
  week: "Weekly",
  month: "Monthly",
};
