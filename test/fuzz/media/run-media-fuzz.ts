import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { errorBody, errorStatus } from "#contract/errors.ts";
import { maxRssBytes } from "#server/media/facts/process-limits.ts";
import { createSender, type Received } from "../send-call.ts";
import { judgeWords } from "./judge-words.ts";
import { makeMutation, type Sample } from "./mutate.ts";
import { readTraces, type Traces } from "./traces.ts";

interface MediaFuzzOptions {
  site: { url: string; pid: number; dataDir: string };
  /** `cookie` header of an admin. */
  cookie: string;
  samples: readonly Sample[];
  seed: number;
  /** Number of the first mutation. */
  from: number;
  mutations: number;
  /** Follows every n-th accepted file until it is processed. The others are removed immediately. */
  followEvery: number;
  /** Returns the server's log at level `debug`. */
  logged(): readonly string[];
  onProgress?: (done: number) => void;
}

interface Finding {
  problem: string;
  /** First mutation with this problem, and the number of mutations with it. */
  mutation: string;
  count: number;
}

interface MediaFuzzReport {
  /** Number of uploads by outcome, such as "ready", "failed", "415" or "422". */
  ends: ReadonlyMap<string, number>;
  /** Number of occurrences of each user-visible message. */
  messages: ReadonlyMap<string, number>;
  findings: Finding[];
  /** Peak memory of each kind of run. */
  peakRssBytes: ReadonlyMap<string, number>;
}

/** Number of concurrent uploads. Each runs its own tools. */
const lanes = 3;
/**
 * Every n-th followed file is followed until its last rendition. The others are removed once they
 * play.
 */
const completeEvery = 6;
/** Milliseconds after which the run counts as hanging, even on a busy machine. */
const patienceMs = 1_800_000;
const pollMs = 100;
/** Tools may exceed the memory limit for a moment, because it is checked several times a second. */
const rssSlack = 1.1;

/** Replaces numbers and ids, which differ from file to file. */
const withoutNumbers = (text: string) => text.replaceAll(/[0-9a-f-]{36}|\d+/g, "#");

const refusals = new Map([
  [415, "unsupported_media"],
  [422, "unusable_video"],
]);
const shownVideo = z.object({
  id: z.string(),
  status: z.enum(["processing", "ready", "failed"]),
  progress: z.number().nullish(),
  failureReason: z.string().nullish(),
  mediaNotices: z.array(z.string()).nullish(),
  duration: z.number().nullish(),
  videoUrl: z.string().nullish(),
});
type ShownVideo = z.infer<typeof shownVideo>;

const asJson = { headers: { "content-type": "application/json" } };

const toolRun = z.object({ media: z.string(), peakRssBytes: z.number() });
const logLine = z.object({ level: z.string(), msg: z.string().optional() });

/**
 * Uploads mutations of small videos to a server, follows and removes each one, and reports the
 * server's defects. The same seed creates the same files.
 */
export async function runMediaFuzz(options: MediaFuzzOptions): Promise<MediaFuzzReport> {
  const { site, cookie, samples, seed, from, mutations, followEvery } = options;
  const sender = createSender(site.url, patienceMs);
  const ends = new Map<string, number>();
  const messages = new Map<string, number>();
  let followed = 0;
  const findings = new Map<string, Finding>();

  const addOne = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  function judge(message: string): string | null {
    addOne(messages, withoutNumbers(message));
    return judgeWords(message);
  }

  function note(problem: string, mutation: string): void {
    const key = withoutNumbers(problem);
    const known = findings.get(key);
    if (known !== undefined) known.count += 1;
    else findings.set(key, { problem, mutation, count: 1 });
  }

  /** @throws Error if there was no response. */
  async function call(method: string, path: string, body?: FormData | string): Promise<Received> {
    const encoded = new Response(body, typeof body === "string" ? asJson : undefined);
    const type = encoded.headers.get("content-type");
    const received = await sender.send(
      {
        method,
        path,
        headers: type === null ? {} : { "content-type": type },
        body: body === undefined ? null : Buffer.from(await encoded.arrayBuffer()),
      },
      cookie,
    );
    if (typeof received === "string") throw new Error(received);
    return received;
  }

  /** Uploads the file. Retries while the server is too busy to examine it. */
  async function upload(form: FormData): Promise<Received> {
    for (;;) {
      const response = await call("POST", "/api/videos", form);
      if (response.status !== errorStatus.unavailable) return response;
      await wait(pollMs);
    }
  }

  async function readVideo(id: string): Promise<ShownVideo | string> {
    const { status, text } = await call("GET", `/api/videos/${id}`);
    return status === 200 ? shownVideo.parse(JSON.parse(text)) : `a new video gives ${status}`;
  }

  /**
   * Waits until the video plays, or until it is complete. @returns the video, or what went wrong.
   */
  async function follow(id: string, isComplete: boolean): Promise<ShownVideo | string> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const video = await readVideo(id);
      if (typeof video === "string") return video;
      const isOver = video.status === "failed" || (video.failureReason ?? null) !== null;
      if (isOver && video.status !== "processing") return video;
      if (video.status === "ready" && (!isComplete || video.progress === 1)) return video;
      if (performance.now() > until) return `no end of a video: ${JSON.stringify(video)}`;
      await wait(pollMs);
    }
  }

  async function judgeVideo(video: ShownVideo): Promise<string[]> {
    const problems: string[] = [];
    const words = [...(video.mediaNotices ?? [])];
    const reason = video.failureReason ?? null;
    if (video.status === "failed" || reason !== null) words.push(reason ?? "");
    for (const text of words) {
      const problem = judge(text);
      if (problem !== null) problems.push(problem);
    }
    if (video.status !== "ready") return problems;
    if (!((video.duration ?? 0) > 0)) problems.push(`ready with a duration of ${video.duration}`);
    const { status } = await call("GET", video.videoUrl ?? "/none");
    if (status !== 200) problems.push(`what plays gives ${status}`);
    return problems;
  }

  async function runOne(number: number): Promise<void> {
    const { title, fileName, bytes } = makeMutation(samples, seed, number);
    const mutation = `${number}: ${title}`;
    const form = new FormData();
    form.set("title", `Mutation ${number}`);
    form.set("video", new Blob([new Uint8Array(bytes)]), fileName);
    const response = await upload(form);
    if (response.status !== 201) {
      addOne(ends, String(response.status));
      const problem = judgeRefusal(response, judge);
      return problem === null ? undefined : note(problem, mutation);
    }
    const { id } = shownVideo.parse(JSON.parse(response.text));
    if (number % followEvery === 0) {
      followed += 1;
      const video = await follow(id, followed % completeEvery === 0);
      if (typeof video === "string") {
        note(video, mutation);
      } else {
        addOne(ends, video.status);
        for (const problem of await judgeVideo(video)) note(problem, mutation);
      }
    } else {
      addOne(ends, "removed at once");
    }
    const { status } = await call("DELETE", `/api/videos/${id}`);
    if (status !== 204) note(`the removal gives ${status}`, mutation);
  }

  await call("POST", "/api/settings", '{"trashDays":0}');
  sender.close();
  const before = await readTraces(site);
  let next = from;
  const lane = async () => {
    while (next < from + mutations) {
      const number = next;
      next += 1;
      await runOne(number).catch((error: unknown) => note(String(error), String(number)));
      options.onProgress?.(number - from + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  for (const path of ["/readyz", "/api/videos"]) {
    const { status } = await call("GET", path);
    if (status !== 200) note(`after the run ${path} gives ${status}`, "all");
  }
  sender.close();
  for (const problem of await findLeftovers(site, before)) note(problem, "all");
  const { peakRssBytes, problems } = judgeLog(options.logged());
  for (const problem of problems) note(problem, "all");
  return { ends, messages, findings: [...findings.values()], peakRssBytes };
}

/** @returns what is wrong with a refusal, or null. */
function judgeRefusal(
  { status, text }: Received,
  judge: (message: string) => string | null,
): string | null {
  const code = refusals.get(status);
  if (code === undefined) return `status ${status}: ${text.slice(0, 300)}`;
  const body = errorBody.safeParse(JSON.parse(text));
  if (!body.success) return `an error without the form of errors: ${text.slice(0, 300)}`;
  if (body.data.code !== code) return `code ${body.data.code} with status ${status}`;
  return judge(body.data.message);
}

/**
 * Waits for work that ends a moment after its video, and for clients to disconnect.
 * @returns what remains.
 */
async function findLeftovers(site: MediaFuzzOptions["site"], before: Traces): Promise<string[]> {
  const until = performance.now() + patienceMs / 5;
  for (;;) {
    const now = await readTraces(site);
    const kinds = (["files", "programs", "openFiles", "connections"] as const).filter((kind) =>
      // A client may have closed an earlier connection.
      kind === "connections"
        ? now.connections > before.connections
        : !isDeepStrictEqual(now[kind], before[kind]),
    );
    if (kinds.length === 0) return [];
    if (performance.now() > until) {
      return kinds.map(
        (kind) => `${kind}: ${JSON.stringify(before[kind])} became ${JSON.stringify(now[kind])}`,
      );
    }
    await wait(pollMs);
  }
}

/** Returns the peak memory of the tools and the errors that the server logged. */
function judgeLog(lines: readonly string[]) {
  const peakRssBytes = new Map<string, number>();
  const problems: string[] = [];
  for (const line of lines) {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      continue;
    }
    const run = toolRun.safeParse(json);
    if (run.success) {
      const { media, peakRssBytes: bytes } = run.data;
      peakRssBytes.set(media, Math.max(bytes, peakRssBytes.get(media) ?? 0));
      if (bytes > maxRssBytes * rssSlack) problems.push(`a run of ${media} held ${bytes} bytes`);
    }
    const { level = "" } = logLine.safeParse(json).data ?? {};
    if (["error", "fatal"].includes(level)) problems.push(`in the log: ${line.slice(0, 1500)}`);
  }
  return { peakRssBytes, problems };
}

/**
 * Settings of the server. Write limits are off, because they would hide results. Every tool run is
 * logged.
 */
export const mediaFuzzEnv = { WRITE_LIMITS: "0", LOG_LEVEL: "debug" };
