import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startSite } from "../../harness/server-process.ts";
import { listSamples } from "./list-samples.ts";
import { mediaFuzzEnv, runMediaFuzz } from "./run-media-fuzz.ts";

const usage = "npm run fuzz:media -- --mutations N --seed S --from NUMBER\n";

/**
 * Fuzzes a separate site with files.
 * @returns true if no defect was found.
 */
async function fuzz(range: { seed: number; from: number; mutations: number }): Promise<boolean> {
  const samples = await listSamples();
  const logged: string[] = [];
  const site = await startSite({ env: mediaFuzzEnv, onOutput: (text) => logged.push(text) });
  try {
    const startedAt = performance.now();
    const report = await runMediaFuzz({
      ...range,
      followEvery: 3,
      site,
      samples,
      cookie: await site.signIn(),
      logged: () => logged.join("").split("\n"),
      onProgress: (done) => {
        if (done % 100 === 0) process.stdout.write(`${done} files\n`);
      },
    });
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const show = (counts: ReadonlyMap<string, number>, unit = 1) =>
      [...counts].map(([name, count]) => `${name} ${Math.round(count / unit)}`).join(", ");
    process.stdout.write(
      `${range.mutations} mutations of ${samples.length} files in ${seconds} s: ${show(report.ends)}\n` +
        `memory in MB: ${show(report.peakRssBytes, 1e6)}\n` +
        [...report.messages].map(([message, count]) => `${count} x ${message}\n`).join(""),
    );
    for (const { problem, mutation, count } of report.findings) {
      process.stdout.write(`\n${count} x ${problem}\nfirst by mutation ${mutation}\n`);
    }
    return report.findings.length === 0;
  } finally {
    await site.stop();
  }
}

/** `--from 17 --mutations 1` repeats mutation 17 of a seed. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mutations: { type: "string", default: "2000" },
      seed: { type: "string", default: String(randomInt(1_000_000)) },
      from: { type: "string", default: "0" },
    },
  });
  const range = {
    seed: Number(values.seed),
    from: Number(values.from),
    mutations: Number(values.mutations),
  };
  if (!Object.values(range).every(Number.isSafeInteger) || range.mutations < 1) {
    process.stdout.write(usage);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(`seed ${range.seed}\n`);
  if (!(await fuzz(range))) process.exitCode = 1;
}

await main();
