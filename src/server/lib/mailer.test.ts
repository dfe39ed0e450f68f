import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createMailer, isUnsent, mayBeDelivered, UnconfirmedMail } from "./mailer.ts";
import { createMetrics } from "./metrics/metrics.ts";

/** Returns a mailer whose server treats connections like this, or doesn't listen. */
async function mailerFor(
  answer: ((socket: Socket) => void) | null,
  lines: string[],
  timeoutMs?: number,
  { siteUrl = "https://video.example", options = "" } = {},
) {
  const server = createServer(answer ?? undefined).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (answer === null) server.close();
  const port = typeof address === "object" ? address?.port : 0;
  return createMailer(
    { smtp: { url: `smtp://127.0.0.1:${port}/${options}`, from: "site@example.com" }, siteUrl },
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

/**
 * Confirms everything, messages after a delay. Adds the messages to `mails`.
 * @param fail returns another response, or an empty text to close the connection.
 */
const confirm =
  (delayMs: number, mails: string[] = [], fail: (received: string) => string | null = () => null) =>
  (socket: Socket) => {
    let received = "";
    socket.write("220 ready\r\n");
    socket.on("data", (bytes) => {
      received += String(bytes);
      if (!received.endsWith("\r\n")) return;
      const response =
        fail(received) ?? (received.startsWith("DATA") ? "354 go on\r\n" : "250 ok\r\n");
      const isMessage = received.endsWith("\r\n.\r\n");
      if (isMessage) mails.push(received);
      const respond = () => (response === "" ? socket.destroy() : socket.write(response));
      setTimeout(respond, isMessage ? delayMs : 0);
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

const failAt = (pattern: RegExp, response: string) =>
  confirm(0, [], (received) => (pattern.test(received) ? response : null));

it.each<[string, ((socket: Socket) => void) | null, boolean]>([
  ["doesn't listen", null, true],
  ["is busy", (socket) => socket.end("421 busy\r\n"), true],
  ["doesn't greet", () => undefined, true],
  ["goes away before it greets", (socket) => socket.end(), true],
  ["goes away before the message", failAt(/^MAIL/, ""), true],
  ["refuses the recipient for now", failAt(/^RCPT/, "450 later\r\n"), true],
  ["refuses the recipient", failAt(/^RCPT/, "550 unknown\r\n"), false],
  ["refuses the message for now", failAt(/\r\n\.\r\n$/, "451 later\r\n"), true],
  ["refuses the message", failAt(/\r\n\.\r\n$/, "554 no\r\n"), false],
  ["goes away after the message", failAt(/\r\n\.\r\n$/, ""), false],
])(
  "reports whether a message can be sent again if the server %s",
  async (_name, answer, isAgain) => {
    const mailer = await mailerFor(answer, [], 500);
    expect(isUnsent(await mailer.send(message).catch((error: unknown) => error))).toBe(isAgain);
  },
);

it("reports that a message can be sent again after a failed TLS handshake", async () => {
  const options = { options: "?secure=true" };
  const mailer = await mailerFor((socket) => socket.end("220 no TLS\r\n"), [], 500, options);
  const error: unknown = await mailer.send(message).catch((error: unknown) => error);
  expect([isUnsent(error), mayBeDelivered(error)]).toEqual([true, false]);
});

it("reports that a message can be sent again after a failure before the connection", async () => {
  const logger = { warn: () => undefined } as never;
  const mailer = createMailer({ smtp: null, siteUrl: "" }, createMetrics(), logger);
  const error: unknown = await mailer.send(message).catch((error: unknown) => error);
  expect([isUnsent(error), mayBeDelivered(error)]).toEqual([true, false]);
});

it.each([
  [{}, /^EHLO video\.example\r\n/],
  [{ options: "?name=mail.example" }, /^EHLO mail\.example\r\n/],
  [{ siteUrl: "http://localhost:3000" }, /^EHLO (?!localhost)/],
  [{ siteUrl: "http://192.0.2.1" }, /^EHLO (?!192\.0\.2\.1)/],
])("chooses the name in the greeting for %j", async (given, greeting) => {
  const received: string[] = [];
  const answer = confirm(0, [], (line) => {
    received.push(line);
    return null;
  });
  const mailer = await mailerFor(answer, [], undefined, given);
  await mailer.send(message);
  expect(received[0]).toMatch(greeting);
});
