import { SMTPServer } from "smtp-server";
import { shared } from "#test/shared.ts";

/** Starts a real mail server on a free port and collects the received messages. */
async function startMailServer() {
  const inbox: string[] = [];
  /** Addresses that the server rejects, with the response code. */
  const refused = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const responseCode = refused.get(address);
      if (responseCode === undefined) return done();
      done(Object.assign(new Error("Not taken"), { responseCode }));
    },
    onData(stream, _session, done) {
      let text = "";
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => (text += part));
      stream.on("end", () => {
        // Decodes quoted-printable text.
        inbox.push(text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    inbox,
    refused,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "kinora@example.com" },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Starts a mail server for all tests of a file. */
export const useMailServer = () => shared(startMailServer, (server) => server.stop());
