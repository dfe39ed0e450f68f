import type { Finding } from "#contract/site/doctor.ts";
import type { Config } from "#server/config.ts";
import { codeOf } from "#server/lib/error-code.ts";
import { verifyMailServer } from "#server/lib/mailer.ts";
import { failure, ok } from "./finding.ts";

/** Connects to the mail server and signs in, without sending a message. */
export async function checkMail({ smtp }: Config): Promise<Finding> {
  if (smtp === null) return ok("mail", "SMTP_URL isn't set, and the site sends no email");
  const { host, protocol } = new URL(smtp.url);
  try {
    await verifyMailServer(smtp.url);
    return ok("mail", `${host} accepts this site`);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return failure("mail", `${host} can't be used (${reason})`, adviceOn(error, reason, protocol));
  }
}

function adviceOn(error: unknown, reason: string, protocol: string): string {
  if (codeOf(error) === "EAUTH") {
    return "Check the user and the password in SMTP_URL. Percent-encode special characters.";
  }
  if (/certificate|altnames/i.test(reason)) {
    return "Use the host name in the server's certificate, or set NODE_EXTRA_CA_CERTS to the file of its CA.";
  }
  if (/wrong version number|packet length too long/.test(reason)) {
    return "This port doesn't begin with TLS. Use smtp://, which changes to TLS by itself, or the port for smtps:// (465).";
  }
  if (/greeting never received/i.test(reason) && protocol === "smtp:") {
    return "The server sends no greeting. If this port begins with TLS (465), use smtps://.";
  }
  return "Check the host and the port in SMTP_URL, and the firewalls in between.";
}
