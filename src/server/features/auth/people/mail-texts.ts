import { limits } from "#contract/limits.ts";

interface MailText {
  subject: string;
  text: string;
}

const nameOf = (siteName: string | null) => siteName ?? limits.defaultSiteName;

export const invitationMail = (about: {
  siteName: string | null;
  link: string;
  invitedBy: string;
}): MailText => ({
  subject: `Invitation to ${nameOf(about.siteName)}`,
  text: `${about.invitedBy} invites you to the back office of ${nameOf(about.siteName)}.

Open this link within 7 days to choose a password:

${about.link}

If you weren't expecting this invitation, you can ignore this email.
`,
});

export const resetMail = (about: { siteName: string | null; link: string }): MailText => ({
  subject: `New password for ${nameOf(about.siteName)}`,
  text: `Open this link within an hour to choose a new password:

${about.link}

If you didn't request this, you can ignore this email. Your password stays the same.
`,
});

/** Mail to owners about a change of who can access the site. */
export const changeNotice = (about: {
  siteName: string | null;
  by: string;
  lines: readonly string[];
  at: Date;
  url: string;
}): MailText => ({
  subject: `Access to ${nameOf(about.siteName)} was changed`,
  text: `${about.by} changed who can access ${nameOf(about.siteName)}:

${about.lines.map((line) => `- ${line}`).join("\n")}

Time: ${about.at.toISOString().slice(0, 16).replace("T", " ")} UTC

If you weren't expecting this, change your password, sign out everywhere and check the audit log:

${about.url}/admin/audit
`,
});
