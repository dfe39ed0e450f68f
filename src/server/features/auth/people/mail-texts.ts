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

If you do not know why you receive this, ignore it: without the link nothing happens.
`,
});

export const resetMail = (about: { siteName: string | null; link: string }): MailText => ({
  subject: `New password for ${nameOf(about.siteName)}`,
  text: `Open this link within an hour to choose a new password:

${about.link}

If you did not ask for it, ignore this: the password stays as it is.
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

If you did not expect this, change your password, sign out everywhere and check the audit log:

${about.url}/admin/audit
`,
});
