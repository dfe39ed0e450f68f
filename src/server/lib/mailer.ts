export interface Mailer {
  /** Without it links are handed over, and `npm run admin` resets passwords. */
  isConfigured: boolean;
  /** Rejects where the mail server does not take the message. */
  send(message: Message): Promise<void>;
  /** Rejects where the mail server is away, before there is a message. */
  check(): Promise<void>;
}

interface Message {
  to: string;
  subject: string;
  text: string;
  /** The same for programs that show HTML. */
  html?: string;
  attachments?: { filename: string; content: string; contentType: string }[];
  /** A page on which the recipient ends such messages. */
  unsubscribeUrl?: string;
}

/** Whether the server has said that it did not take the message, and whether it may take it later. */
export function refusalOf(error: unknown): "later" | "never" | null {
  if (!(error instanceof Error) || !("responseCode" in error)) return null;
  return Number(error.responseCode) >= 500 ? "never" : "later";
}

const timeoutMs = 10_000;

/** Sends through the server that `SMTP_URL` names. */
export function createMailer({ smtp }: { smtp: { url: string; from: string } | null }): Mailer {
  async function connect() {
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
    return { transport, from: smtp.from };
  }
  return {
    isConfigured: smtp !== null,
    async send({ to, unsubscribeUrl, ...content }) {
      const { transport, from } = await connect();
      const list = unsubscribeUrl === undefined ? {} : { list: { unsubscribe: unsubscribeUrl } };
      // An object, so that no character of an address begins another one.
      await transport.sendMail({ from, to: { name: "", address: to }, ...content, ...list });
    },
    async check() {
      const { transport } = await connect();
      await transport.verify();
    },
  };
}
