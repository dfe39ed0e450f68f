import path from "node:path";
import { createTestMedia, type TestMedia } from "#server/media/media.fixture.ts";
import { runProcess } from "#server/media/pipeline/process-run.fixture.ts";
import { fieldCenters, fields, makeColorClip, type ColorSource } from "#test/color-clips.ts";
import { desktop, openVisitor } from "./browser.ts";
import { serveFolder } from "./folder-server.ts";

/** Maximum difference of a channel, 0 to 255. */
const tolerance = 12;

/** Processes color clips and reads the results in Chromium. */
export async function openColorLab() {
  const at: TestMedia = await createTestMedia();
  const server = await serveFolder(at.folder, { files: {}, pages: { "/": "<body></body>" } });
  const visitor = await openVisitor(server.url, desktop);
  await visitor.page.goto("/");

  /** Returns the colors of the fields as the browser draws a file on a canvas. */
  const readFields = (file: string): Promise<number[][]> =>
    visitor.page.evaluate(
      async ({ url, centers }) => {
        const isPicture = /\.(jpg|webp|avif)$/.test(url);
        const shown = isPicture ? new Image() : document.createElement("video");
        const isReady = new Promise<void>((resolve, reject) => {
          shown.addEventListener(isPicture ? "load" : "loadeddata", () => resolve());
          shown.addEventListener("error", () => reject(new Error(`can't show ${url}`)));
        });
        shown.src = url;
        document.body.append(shown);
        await isReady;
        if (shown instanceof HTMLVideoElement) {
          // Chromium draws a frame on a canvas only once it was presented.
          const isPresented = new Promise((resolve) => shown.requestVideoFrameCallback(resolve));
          shown.currentTime = 0.1;
          await isPresented;
        }
        const [width, height] =
          shown instanceof HTMLVideoElement
            ? [shown.videoWidth, shown.videoHeight]
            : [shown.naturalWidth, shown.naturalHeight];
        const context = new OffscreenCanvas(width, height).getContext("2d");
        context?.drawImage(shown, 0, 0);
        shown.remove();
        return centers.map(({ x, y }) => {
          const pixel = context?.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1);
          return [...(pixel?.data ?? [])].slice(0, 3);
        });
      },
      { url: `/${path.relative(at.folder, file)}`, centers: fieldCenters },
    );

  return {
    /** Returns the served files that show a field in another color, with all fields as shown. */
    async listWrongFiles(source: ColorSource): Promise<string[]> {
      const run = await runProcess(at, await makeColorClip(source), {
        done: new Set(["captions"]),
        ladderCrf: 18,
        normalizesLoudness: false,
      });
      const wrong = run.result.problems.map(({ step, message }) => `${step}: ${message}`);
      for (const file of run.files) {
        if (!/\.(mp4|jpg|webp|avif)$/.test(file.path) || file.role === "storyboard_sheet") continue;
        const shown = await readFields(file.path);
        const isRight = fields.every((color, i) =>
          color.every((value, k) => Math.abs(value - (shown[i]?.[k] ?? 0)) <= tolerance),
        );
        if (!isRight)
          wrong.push(`${file.name}: ${shown.map((color) => color.join(",")).join(" ")}`);
      }
      return wrong;
    },
    async [Symbol.asyncDispose]() {
      await visitor.close();
      await server[Symbol.asyncDispose]();
      await at.remove();
    },
  };
}

export const h264Of = (...params: string[]): string[] => [
  ...["-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", ...params],
];
