import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { copyFile, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Site, startSite } from "#test/harness/server-process.ts";
import type { BenchTable } from "./support/bench-table.ts";

const exec = promisify(execFile);
const ffmpeg = process.env["FFMPEG_PATH"] ?? "ffmpeg";
const bigBytes = 500 * 1024 * 1024;

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

    const copyStart = performance.now();
    const copy = ["-c", "copy", "-movflags", "+faststart", join(folder, "copy.mp4")];
    await exec(ffmpeg, ["-v", "error", "-i", clip, ...copy]);
    const plainCopyMs = performance.now() - copyStart;

    const first = await uploadFile(site, cookie, clip);
    await waitFor(site, cookie, first.id, ({ status }) => status === "ready");
    const playableMs = performance.now() - first.sentAt;
    await waitFor(site, cookie, first.id, ({ progress }) => progress === 1);
    const finishedMs = performance.now() - first.sentAt;

    const big = join(folder, "big.mp4");
    await pad(clip, big, bigBytes);
    const large = await uploadFile(site, cookie, big);

    const responseMs = Math.round(first.respondedAt - first.sentAt);
    return {
      title: "Upload to playable",
      columns: ["what", "measured", "reference", "unit"],
      rows: [
        ["last byte to response, 60 s 1080p", responseMs, "-", "ms"],
        ["last byte to playable, 60 s 1080p", Math.round(playableMs), "limit 3000", "ms"],
        ["plain ffmpeg copy with faststart", "-", Math.round(plainCopyMs), "ms"],
        ["last byte to the whole ladder", Math.round(finishedMs / 100) / 10, "-", "s"],
        ["500 MB upload", Math.round(bigBytes / 1e3 / large.tookMs), "-", "MB/s"],
        ["server's peak memory after 500 MB", await peakMb(site.pid), "limit 400", "MB"],
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

/** Makes one minute of 1080p H.264 as phones and cameras write it: colors named, index at the end. */
async function makeClip(path: string): Promise<void> {
  await exec(ffmpeg, [
    ...["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=30:d=60"],
    ...["-f", "lavfi", "-i", "sine=f=330:d=60", "-c:v", "libx264", "-preset", "ultrafast"],
    ...["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"],
    ...["-b:v", "6M", "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", "-shortest", path],
  ]);
}

/** Adds a `free` box after the clip, so that the file has the given size but the same video. */
async function pad(from: string, to: string, sizeBytes: number): Promise<void> {
  await copyFile(from, to);
  const { size } = await stat(to);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(sizeBytes - size, 0);
  head.write("free", 4, "latin1");
  const file = await open(to, "r+");
  await file.write(head, 0, head.length, size);
  await file.truncate(sizeBytes);
  await file.close();
}

const videoState = z.object({
  status: z.string(),
  progress: z.number().nullish(),
  failureReason: z.string().nullish(),
});

async function waitFor(
  site: Site,
  cookie: string,
  id: string,
  isDone: (video: z.infer<typeof videoState>) => boolean,
) {
  for (;;) {
    const response = await fetch(`${site.url}/api/videos/${id}`, { headers: { cookie } });
    const video = videoState.parse(await response.json());
    if (video.status === "failed") throw new Error(String(video.failureReason));
    if (isDone(video)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function peakMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}

interface Uploaded {
  id: string;
  /** Time at which the last byte was passed to the socket, and at which the response was complete. */
  sentAt: number;
  respondedAt: number;
  tookMs: number;
}

/** Multipart upload as a stream, so that the client holds no more in memory than the server. */
async function uploadFile(site: Site, cookie: string, path: string): Promise<Uploaded> {
  const { size } = await stat(path);
  const boundary = "----bench-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="title"\r\n\r\nBench\r\n--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="clip.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const headers = {
    cookie,
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": head.length + size + tail.length,
  };
  const startedAt = performance.now();
  let sentAt = 0;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${site.url}/api/videos`, { method: "POST", headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const respondedAt = performance.now();
        const text = Buffer.concat(parts).toString();
        if (response.statusCode !== 201) {
          reject(new Error(`upload returned ${response.statusCode}: ${text}`));
          return;
        }
        const { id } = z.object({ id: z.string() }).parse(JSON.parse(text));
        resolve({ id, sentAt, respondedAt, tookMs: respondedAt - startedAt });
      });
    });
    outgoing.on("finish", () => {
      sentAt = performance.now();
    });
    outgoing.on("error", reject);
    outgoing.write(head);
    const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
    file.on("error", reject);
    file.on("end", () => outgoing.end(tail));
    file.pipe(outgoing, { end: false });
  });
}
