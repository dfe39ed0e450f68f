import { afterAll, beforeAll, expect, it } from "vitest";
import { startSite, type Site } from "../../harness/server-process.ts";
import { listSamples } from "./list-samples.ts";
import { mediaFuzzEnv, runMediaFuzz } from "./run-media-fuzz.ts";

const logged: string[] = [];
let site: Site;
beforeAll(async () => {
  site = await startSite({ env: mediaFuzzEnv, onOutput: (text) => logged.push(text) });
});
afterAll(() => site?.stop());

// The test reads processes, files and connections from /proc.
it.runIf(process.platform === "linux")(
  "refuses or plays 100 mutated files with user-friendly messages, and leaves nothing",
  async () => {
    const { findings, ends } = await runMediaFuzz({
      site,
      cookie: await site.signIn(),
      samples: await listSamples(),
      seed: 1,
      from: 0,
      mutations: 100,
      followEvery: 6,
      logged: () => logged.join("").split("\n"),
    });
    expect(findings).toEqual([]);
    expect(ends.get("ready")).toBeGreaterThan(2);
    expect(ends.get("422")).toBeGreaterThan(10);
  },
  3_600_000,
);
