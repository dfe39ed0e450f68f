import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

it("keeps running after the program that reads its output has ended", async () => {
  const script = `
    import { outliveReaders, say } from ${JSON.stringify(new URL("say.ts", import.meta.url).href)};
    outliveReaders();
    process.stdin.once("data", () => {
      say("without a reader");
      setImmediate(() => process.exit(7));
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdout.destroy();
  child.stdin.end("go");
  expect(await once(child, "exit")).toEqual([7, null]);
});
