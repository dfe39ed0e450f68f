export interface Mailer {
  /** Without it links are handed over, and `npm run admin` resets passwords. */
  isConfigured: boolean;
  /** Rejects where the mail server does not take the message. */
  send(message: { to: string; subject: string; text: string }): Promise<void>;
}

const timeoutMs = 10_000;

/** Sends plain text through the server that `SMTP_URL` names. */
export function createMailer({ smtp }: { smtp: { url: string; from: string } | null }): Mailer {
  return {
    isConfigured: smtp !== null,
    async send({ to, subject, text }) {
      if (smtp === null) throw new Error("SMTP_URL is not set");
      // Loaded with the first message: most sites send none.
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        url: smtp.url,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        // Nothing in a message names a file or an address to fetch.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // An object, so that no character of an address begins another one.
      await transport.sendMail({ from: smtp.from, to: { name: "", address: to }, subject, text });
    },
  };
}
