import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createMailer, UnconfirmedMail } from "./mailer.ts";
import { createMetrics } from "./metrics/metrics.ts";

/** Returns a mailer whose server treats connections like this. */
async function mailerFor(answer: (socket: Socket) => void, lines: string[], timeoutMs?: number) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return createMailer(
    { smtp: { url: `smtp://127.0.0.1:${port}`, from: "site@example.com" } },
    createMetrics(),
    { warn: (...args: unknown[]) => lines.push(String(args[1])) } as never,
    timeoutMs,
  );
}

const message = { to: "a@example.com", subject: "x", text: "x" };

it("logs a failed message at once even if its sender tries again", async () => {
  const lines: string[] = [];
  const mailer = await mailerFor((socket) => socket.end("554 not here\r\n"), lines);
  await expect(mailer.send(message)).rejects.toThrow("554");
  expect(lines).toEqual(["couldn't send an email"]);
});

/** Confirms everything, messages after a delay. Adds the messages to `mails`. */
const confirm =
  (delayMs: number, mails: string[] = []) =>
  (socket: Socket) => {
    let received = "";
    socket.write("220 ready\r\n");
    socket.on("data", (bytes) => {
      received += String(bytes);
      if (!received.endsWith("\r\n")) return;
      const response = received.startsWith("DATA") ? "354 go on\r\n" : "250 ok\r\n";
      const isMessage = received.endsWith("\r\n.\r\n");
      if (isMessage) mails.push(received);
      setTimeout(() => socket.write(response), isMessage ? delayMs : 0);
      received = "";
    });
  };

it("marks messages as automatic, so that nobody's mailbox responds to them", async () => {
  const mails: string[] = [];
  const mailer = await mailerFor(confirm(0, mails), []);
  await mailer.send(message);
  expect(mails.join("")).toMatch(/^Auto-Submitted: auto-generated\r$/im);
  expect(mails.join("")).toMatch(/^X-Auto-Response-Suppress: All\r$/im);
});

it("waits for a server that takes long to confirm a message, unless its caller can't", async () => {
  const timeoutMs = 200;
  const lines: string[] = [];
  const mailer = await mailerFor(confirm(3 * timeoutMs), lines, timeoutMs);
  await mailer.send(message);
  expect(lines).toEqual([]);
  await expect(mailer.send(message, timeoutMs)).rejects.toThrow(UnconfirmedMail);
});

it("limits the whole message, not each response to it", async () => {
  const answer = (socket: Socket) => {
    socket.write("220 ready\r\n");
    socket.on("data", () => setTimeout(() => socket.write("250 ok\r\n"), 150));
  };
  const mailer = await mailerFor(answer, []);
  await expect(mailer.send(message, 200)).rejects.toThrow(UnconfirmedMail);
});
