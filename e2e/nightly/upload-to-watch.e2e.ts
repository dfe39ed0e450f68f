import { join } from "node:path";
import { describe, it } from "vitest";
import { sampleVideos } from "#test/sample-videos.ts";
import { findCorpus } from "#test/shared-material.ts";
import { shareSite } from "../support/shared-site.ts";
import { uploadAndWatch, type Upload } from "../support/upload-and-watch.ts";

const uploads: Upload[] = [
  { file: "mpeg4.avi", path: sampleVideos.mpeg4.make, durationS: 1, isTall: false },
  { file: "vp8.webm", path: sampleVideos.vp8.make, durationS: 1, isTall: false },
  { file: "pcm.mov", path: sampleVideos.pcm.make, durationS: 1, isTall: false },
];
const corpus = findCorpus("media");
const phoneFile = "rotate-buck-bunny.mp4";
if (corpus !== null) {
  const path = () => Promise.resolve(join(corpus, phoneFile));
  uploads.push({ file: phoneFile, path, durationS: 2.005, isTall: true });
}

const site = shareSite(undefined, { work: true });

describe("an admin uploads a video and visitors watch it", () => {
  it.each(uploads)("$file", (upload) => uploadAndWatch(site.app, upload), 240_000);
});
