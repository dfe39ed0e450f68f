import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { warnLimited, type Logger } from "./logger.ts";
import { addCounter, type Metrics } from "./metrics/metrics.ts";

interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Time limit for the connection and the greeting, and for each response to `verifyMailServer`. */
const defaultTimeoutMs = 10_000;
/** Time limit for a message that a request waits for. Our pages stop waiting after 60 s. */
export const requestTimeoutMs = 30_000;

/** Asks mailboxes not to send vacation notices and other automatic responses (RFC 3834). */
const headers = { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All" };

/** The mail server hasn't confirmed a message in time, but may still deliver it. */
export class UnconfirmedMail extends Error {}

/** Error with the fields that nodemailer and Node.js add. */
interface MailFailure extends Partial<Error> {
  /** SMTP command that failed. */
  command?: string;
  /** Response code of the mail server. */
  responseCode?: number;
  code?: string;
  /** Set if the client failed before it had written the whole message. */
  isUnwritten?: boolean;
}

export const mailFailure = (error: unknown): MailFailure => (error instanceof Error ? error : {});

/**
 * Returns whether the mail server can't have accepted the message but may accept it later. Sending it
 * again then can't deliver it twice.
 */
export function isUnsent(error: unknown): boolean {
  const { responseCode = 0, code, isUnwritten = false } = mailFailure(error);
  const isTemporary = responseCode >= 400 && responseCode < 500;
  return isTemporary || code === "EAUTH" || (responseCode === 0 && isUnwritten);
}

/** Returns whether the mail server may have accepted the message without confirming it. */
export function mayBeDelivered(error: unknown): boolean {
  const { responseCode = 0, isUnwritten = false } = mailFailure(error);
  return responseCode === 0 && !isUnwritten;
}

/** Loads the library with the first message, because most sites send none. */
async function openTransport(
  url: string,
  siteUrl: string,
  timeoutMs: number,
  socketTimeout?: number,
) {
  const { createTransport } = await import("nodemailer");
  const { hostname } = new URL(siteUrl);
  return createTransport({
    url,
    // Some servers refuse the default, which is an IP address if this machine's name has no dot. A
    // `name` in `url` wins.
    ...(hostname.includes(".") && isIP(hostname) === 0 ? { name: hostname } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    ...(socketTimeout === undefined ? {} : { socketTimeout }),
    // Messages must not make the server read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Connects to a mail server and signs in. Rejects with the reason for a failure. */
export async function verifyMailServer(url: string, siteUrl: string): Promise<void> {
  const transport = await openTransport(url, siteUrl, defaultTimeoutMs, defaultTimeoutMs);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Creates a mailer that uses the server in `SMTP_URL`. */
export function createMailer(
  { smtp, siteUrl }: { smtp: { url: string; from: string } | null; siteUrl: string },
  metrics: Metrics,
  logger: Logger,
  timeoutMs = defaultTimeoutMs,
) {
  const sent = addCounter(
    metrics,
    "kinora_mails_total",
    "Emails sent through SMTP_URL, by result.",
    [{ result: "sent" }, { result: "failed" }],
  );

  return {
    /**
     * False if no e-mail is sent. Pages then show links instead, and `npm run admin` resets
     * passwords.
     */
    isConfigured: smtp !== null,
    /**
     * Sends a message. Waits up to ten minutes for each response, because a server may confirm a
     * message minutes after receiving it, and giving up earlier would send it twice (RFC 5321,
     * 4.5.3.2.6).
     * @param limitMs milliseconds after which the caller stops waiting. The transfer continues.
     * @throws the reason if the mail server refuses the message; UnconfirmedMail after `limitMs`.
     */
    async send({ to, ...content }: Message, limitMs?: number): Promise<void> {
      let isWritten = false;
      try {
        if (smtp === null) throw new Error("SMTP_URL isn't set");
        const transport = await openTransport(smtp.url, siteUrl, timeoutMs);
        // The client reads the message once the server has accepted the recipient and `DATA`. Until
        // its end is written, the server can't accept it.
        transport.use("stream", ({ message }, done) => {
          message.processFunc((stream) => stream.once("end", () => (isWritten = true)));
          done();
        });
        // An object, so that no character in an address can start a second address.
        const address = { name: "", address: to };
        const sending = transport.sendMail({ from: smtp.from, to: address, headers, ...content });
        if (limitMs === undefined) await sending;
        else if ((await Promise.race([sending, wait(limitMs, null, { ref: false })])) === null) {
          throw new UnconfirmedMail("The mail server hasn't confirmed the message in time");
        }
        sent.inc({ result: "sent" });
      } catch (error) {
        sent.inc({ result: "failed" });
        if (error instanceof Error && !isWritten && !(error instanceof UnconfirmedMail)) {
          Object.assign(error, { isUnwritten: true });
        }
        // Callers may try again for hours before they give up.
        warnLimited(logger, "mail", { err: error }, "couldn't send an email");
        throw error;
      }
    },
  };
}

export type Mailer = ReturnType<typeof createMailer>;
