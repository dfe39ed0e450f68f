import { expect, test } from "vitest";
import { createLogger } from "#server/lib/logger.ts";
import { valueAfter } from "../facts/example-facts.fixture.ts";
import { createBoundedText } from "./run-process.ts";
import { probeLimits } from "../facts/process-limits.ts";
import { createMediaTools, createProgressReader } from "./media-tools.ts";

test("reports rising progress for chunks of any size and all kinds of numbers", () => {
  const seen: number[] = [];
  const reader = createProgressReader((outTimeS) => seen.push(outTimeS));
  const text =
    "frame=1\nout_time_us=N/A\nprogress=continue\nframe=10\nout_time_us=400000\nout_time_us=-5\n" +
    "out_time_us=200000\nout_time_us=1000000\n";
  const before = reader.mark();
  for (let i = 0; i < text.length; i += 7) reader.add(Buffer.from(text.slice(i, i + 7)));
  expect(seen).toEqual([0.4, 1]);
  expect(reader.outTimeS()).toBe(1);
  expect(reader.mark()).not.toBe(before);
});

test("stores the start and end of a long text", () => {
  const text = createBoundedText(10, 10);
  text.add(Buffer.from("beginning "));
  for (let i = 0; i < 1000; i += 1) text.add(Buffer.from("middle\n"));
  text.add(Buffer.from("the end"));
  expect(text.text()).toMatch(/^beginning \n\[\.\.\.\]\n.*the end$/s);
  expect(text.text().length).toBeLessThan(50);
  expect(text.lineCount()).toBe(1000);
  const short = createBoundedText(10, 10);
  short.add(Buffer.from("abc"));
  short.add(Buffer.from("defghijklmno"));
  expect(short.text()).toBe("abcdefghijklmno");
});

test("starts no threads per processor in any run", async () => {
  const started: string[][] = [];
  const usage = { cpuS: 0, peakRssBytes: 0, peakAddressBytes: 0, wallS: 0 };
  const success = { exitCode: 0, signal: null, killed: null, isOutOfCpuTime: false, usage };
  const tools = createMediaTools({
    paths: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
    logger: createLogger("silent"),
    colorTables: { listIn: async () => [] },
    runner: {
      async run({ args }) {
        started.push(args);
        return { ...success, stderr: "", stderrLineCount: 0, stdout: Buffer.alloc(0) };
      },
    },
  });
  const job = { name: "any", args: ["-i", "file:/a.mp4"], cwd: "/", limits: probeLimits };
  await tools.ffmpeg(job);
  await tools.ffprobe(job);
  expect(started.map((args) => valueAfter(args, "-cpucount"))).toEqual(["1", "1"]);
  expect(valueAfter(started[0] ?? [], "-filter_complex_threads")).toBe("2");
});
