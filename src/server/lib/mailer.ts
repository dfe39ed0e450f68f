import { createTransport } from "nodemailer";

export interface Mailer {
  /** Without it links are handed over, and `npm run admin` resets passwords. */
  isConfigured: boolean;
  /** Rejects where the mail server does not take the message. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
}

const timeoutMs = 10_000;

/** Sends plain text through the server that `SMTP_URL` names. */
export function createMailer({ smtp }: { smtp: { url: string; from: string } | null }): Mailer {
  const transport =
    smtp === null
      ? null
      : createTransport({
          url: smtp.url,
          connectionTimeout: timeoutMs,
          greetingTimeout: timeoutMs,
          socketTimeout: timeoutMs,
          // Nothing in a message names a file or an address to fetch.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
  return {
    isConfigured: transport !== null,
    async send({ to, subject, text }) {
      if (transport === null || smtp === null) throw new Error("SMTP_URL is not set");
      // An object, so that no character of an address begins another one.
      await transport.sendMail({ from: smtp.from, to: { name: "", address: to }, subject, text });
    },
  };
}
