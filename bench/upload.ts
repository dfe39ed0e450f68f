import { execFile } from "node:child_process";
import { mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchTable } from "./support/bench-table.ts";
import { uploadFile } from "./support/upload-file.ts";
import { type Site, startSite } from "#test/harness/server-process.ts";

const exec = promisify(execFile);
const ffmpeg = process.env["FFMPEG_PATH"] ?? "ffmpeg";
const nowMs = () => performance.now();

/**
 * Makes one minute of 1080p H.264 with sound, as a camera or an editor writes it (no faststart).
 */
async function makeClip(path: string): Promise<void> {
  await exec(ffmpeg, [
    ...["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=60"],
    ...["-f", "lavfi", "-i", "sine=f=330:d=60", "-c:v", "libx264", "-preset", "ultrafast"],
    ...["-b:v", "6M", "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", "-shortest", path],
  ]);
}

/** Adds a `free` box after the clip, so that the file has the given size but the same video. */
async function pad(from: string, to: string, sizeBytes: number): Promise<void> {
  const clip = await readFile(from);
  const file = await open(to, "w");
  await file.write(clip);
  const rest = sizeBytes - clip.length;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(rest, 0);
  head.write("free", 4, "latin1");
  await file.write(head);
  await file.truncate(sizeBytes);
  await file.close();
}

async function waitFor(
  site: Site,
  cookie: string,
  id: string,
  isDone: (video: Record<string, unknown>) => boolean,
) {
  for (;;) {
    const response = await fetch(`${site.url}/api/videos/${id}`, { headers: { cookie } });
    const video = (await response.json()) as Record<string, unknown>;
    if (video["status"] === "failed") throw new Error(String(video["failureReason"]));
    if (isDone(video)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function peakMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}

/**
 * Measures the time from the last byte of an upload to a playable video, and the memory of a large
 * upload.
 */
export async function run(): Promise<BenchTable> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-bench-upload-"));
  const site = await startSite();
  try {
    const cookie = await site.signIn();
    const clip = join(folder, "clip.mp4");
    await makeClip(clip);
    const clipMb = Math.round((await stat(clip)).size / 1e6);

    const copyStart = nowMs();
    await exec(ffmpeg, [
      "-v",
      "error",
      "-i",
      clip,
      "-c",
      "copy",
      "-movflags",
      "+faststart",
      join(folder, "copy.mp4"),
    ]);
    const plainCopyMs = nowMs() - copyStart;

    const first = await uploadFile(site, cookie, clip);
    await waitFor(site, cookie, first.id, (video) => video["status"] === "ready");
    const playableMs = nowMs() - first.sentAt;
    await waitFor(site, cookie, first.id, (video) => video["progress"] === 1);
    const finishedMs = nowMs() - first.sentAt;

    const big = join(folder, "big.mp4");
    const bigBytes = 500 * 1024 * 1024;
    await pad(clip, big, bigBytes);
    const large = await uploadFile(site, cookie, big);
    const memory = await peakMb(site.pid);

    return {
      title: "Upload to playable",
      columns: ["what", "measured", "reference", "unit"],
      rows: [
        [
          "last byte to response, 60 s 1080p",
          Math.round(first.respondedAt - first.sentAt),
          "-",
          "ms",
        ],
        ["last byte to playable, 60 s 1080p", Math.round(playableMs), "limit 3000", "ms"],
        ["plain ffmpeg copy with faststart", "-", Math.round(plainCopyMs), "ms"],
        ["last byte to the whole ladder", Math.round(finishedMs / 100) / 10, "-", "s"],
        ["500 MB upload", Math.round(bigBytes / 1e6 / (large.tookMs / 1000)), "-", "MB/s"],
        ["server's peak memory after 500 MB", memory, "limit 400", "MB"],
      ],
      notes: [
        `The clip: 60 s, 1920x1080, H.264 and AAC, ${clipMb} MB, moov at the end. Memory is VmHWM of the server process.`,
        "The 500 MB file is the same clip with a free box after it, sent as one multipart request.",
      ],
    };
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
