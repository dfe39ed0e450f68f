import type { ReportRhythm } from "#ads/contract/report-mails.ts";

export const mailMessages = {
  heading: "Reports by mail",
  hint: "The figures of a day, a week or a month, soon after it is over in UTC, with the table as a CSV file. Each recipient can end them.",
  noMail: "This site can't send email. Set SMTP_URL and MAIL_FROM to send reports.",
  loadFailed: "The reports by mail could not be loaded.",
  empty: "No report is sent yet.",
  add: "Add Report",
  addFailed: "The report was not added.",
  removeFailed: "The report was not removed.",
  ofSite: "The whole site",
  subject: "Figures of",
  rhythm: "How often",
  recipients: "Recipients",
  recipientsHint: "Email addresses, one on each line",
  noRecipients: "None: all recipients have ended it",
  notSent: "Not sent yet",
  last: (periodStart: string, sent: number) =>
    `From ${periodStart}: sent to ${sent.toLocaleString()}`,
  waiting: (count: number) => `${count.toLocaleString()} waiting`,
  failed: (count: number) => `${count.toLocaleString()} not taken by the mail server`,
  askRemove: (name: string) => `Send the figures of ${name} no more?`,
  remove: (name: string) => `Remove the report of ${name}`,

  endTitle: "Reports by mail",
  endText: "You get figures of ads by mail from this site.",
  end: "End These Mails",
  ending: "Ending...",
  ended: (email: string) => `${email} gets no more of these mails.`,
  endGone: "This link is no longer valid. The mails have ended already.",
  endFailed: "It did not work. Try again in a moment.",
} as const;

export const rhythmLabels: Record<ReportRhythm, string> = {
  day: "Each day",
  week: "Each week",
  month: "Each month",
};
