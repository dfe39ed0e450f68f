import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { listArchiveSamples } from "../../archive-samples.ts";
import { listSampleVideos } from "../../sample-videos.ts";
import type { Sample } from "./mutate.ts";

/** Maximum size of a sample. Larger files would only take longer to decode. */
const maxBytes = 600_000;
const maxPixels = 400_000;
const maxDurationS = 4;

/** Lists small files of every container and codec that this ffmpeg can write. */
export async function listSamples(): Promise<Sample[]> {
  const isQuick = ({ size, durationS }: { size: string; durationS: number }) => {
    const [width = 0, height = 0] = size.split("x").map(Number);
    return width * height <= maxPixels && durationS <= maxDurationS;
  };
  const all = [...(await listSampleVideos()).filter(isQuick), ...(await listArchiveSamples())];
  const samples: Sample[] = [];
  // One at a time, because uncached samples are encoded.
  for (const { title, make } of all) {
    const file = await make();
    const bytes = await readFile(file);
    if (bytes.length <= maxBytes) samples.push({ title, fileName: basename(file), bytes });
  }
  return samples;
}
