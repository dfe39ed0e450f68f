import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type LoadResult } from "./load.ts";
import { findFreePort } from "#test/harness/server-process.ts";

/**
 * Measures a bare `node:http` server in a separate process that sends these bytes. It shows the
 * limit of the machine.
 */
export async function measureRaw(
  body: Buffer,
  contentType: string,
  seconds: number,
): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-raw-"));
  const port = await findFreePort();
  await writeFile(join(folder, "body"), body);
  const script = `
    const body = require("fs").readFileSync(${JSON.stringify(join(folder, "body"))});
    const head = { "content-type": ${JSON.stringify(contentType)}, "content-length": body.length };
    require("http").createServer((q, r) => { r.writeHead(200, head); r.end(body); })
      .listen(${port}, "127.0.0.1");`;
  const child = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
  try {
    const url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; tries < 100; tries += 1) {
      if (
        await fetch(url).then(
          (a) => a.ok,
          () => false,
        )
      )
        break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await load(url, 1);
    return await load(url, seconds);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
    await rm(folder, { recursive: true });
  }
}
