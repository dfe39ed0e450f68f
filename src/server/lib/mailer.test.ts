import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { createMailer } from "./mailer.ts";
import { createMetrics } from "./metrics/metrics.ts";

const server = createServer((socket) => socket.end("554 not here\r\n"));
afterAll(() => server.close());

it("logs a failed message at once even if its sender tries again", async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const lines: string[] = [];
  const mailer = createMailer(
    { smtp: { url: `smtp://127.0.0.1:${port}`, from: "site@example.com" } },
    createMetrics(),
    { warn: (...args: unknown[]) => lines.push(String(args[1])) } as never,
  );
  const sent = mailer.send({ to: "a@example.com", subject: "x", text: "x" });
  await expect(sent).rejects.toThrow("554");
  expect(lines).toEqual(["couldn't send an email"]);
});
