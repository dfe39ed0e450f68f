import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Video } from "#contract/videos/videos.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { watchPass } from "./watch-pass.ts";

const opened: Video = adminVideo({ videoUrl: "/media/v/x/play.mp4" });
// The header is another part of the page.
vi.mock("./pass-end.ts", () => ({ readPassEnd: () => {} }));
let hasPass = true;
vi.mock("./has-pass.ts", () => ({ hasPass: () => hasPass }));

const refusal = () => Response.json({ message: "", code: "members_only" }, { status: 403 });
let reply: () => Response | Promise<Response>;
const life = () => new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => reply());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows the video once, and takes it away within a minute after the pass has ended", async () => {
  const shown: (string | null)[] = [];
  reply = () => Response.json(opened);
  await watchPass(opened.id, (video) => shown.push(video?.videoUrl ?? null), life().signal);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(shown).toEqual([opened.videoUrl]);
  reply = refusal;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown.slice(0, 2)).toEqual([opened.videoUrl, null]);
  reply = () => Response.json(opened);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown.at(-1)).toBe(opened.videoUrl);
});

it("keeps playing without a connection or while the server is busy", async () => {
  const shown: (string | null)[] = [];
  reply = () => Response.json(opened);
  await watchPass(opened.id, (video) => shown.push(video?.videoUrl ?? null), life().signal);
  reply = () => Promise.reject(new TypeError("offline"));
  await vi.advanceTimersByTimeAsync(60_000);
  reply = () => Response.json({ message: "", code: "unavailable" }, { status: 503 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toEqual([opened.videoUrl]);
});

it("stops asking after the page has shown another video", async () => {
  const controller = life();
  let calls = 0;
  reply = () => {
    calls += 1;
    return Response.json(opened);
  };
  await watchPass(opened.id, () => {}, controller.signal);
  controller.abort();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(calls).toBe(1);
});

it("asks nothing without a pass", async () => {
  hasPass = false;
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json(opened));
  vi.stubGlobal("fetch", fetched);
  await watchPass(opened.id, () => {}, life().signal);
  hasPass = true;
  expect(fetched).not.toHaveBeenCalled();
});
