import { afterEach, expect, test, vi } from "vitest";
import { openFrames, spreadMoments } from "./frame-picker.ts";

afterEach(() => vi.unstubAllGlobals());

test("loads the video with CORS, so that frames of another origin can be read", async () => {
  class Video extends EventTarget {
    crossOrigin: string | null = null;
    requests: unknown[] = [];
    set src(url: string) {
      this.requests.push({ url, crossOrigin: this.crossOrigin });
      queueMicrotask(() => this.dispatchEvent(new Event("loadeddata")));
    }
  }
  const video = new Video();
  vi.stubGlobal("document", { createElement: () => video });
  await openFrames("/media/video.mp4");
  expect(video.requests).toEqual([{ url: "/media/video.mp4", crossOrigin: "anonymous" }]);
});

test("returns evenly spaced times inside the video", () => {
  expect(spreadMoments(80, 4)).toEqual([10, 30, 50, 70]);
});
