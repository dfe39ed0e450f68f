import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { compareTracks, listDamage } from "../plan/changes.ts";
import { toFps } from "../plan/frame-rate.ts";
import { audioName, ladderArgs, masterName, rungName } from "../plan/ladder.ts";
import {
  findAvcCodec,
  readPlaylist,
  writeMasterPlaylist,
  type VariantFacts,
} from "../plan/master-playlist.ts";
import { planLimits } from "../plan/process-limits.ts";
import { planRungs, type Rung } from "../plan/rungs.ts";
import { listDecoderErrors } from "../probe/decoder-errors.ts";
import { describeFile, type MediaFile } from "./media-file.ts";
import type { SourceVideo, PipelineContext } from "./pipeline-context.ts";

export interface LadderOutput {
  files: MediaFile[];
  durationS: number;
  rungs: { shortSide: number; width: number; height: number; name: string }[];
  hasAudio: boolean;
  /** What of the source's tracks is damaged or not in the renditions, for the admin. */
  notices: string[];
  /** The decoder reported errors of the picture; a copy of the source has the same defects. */
  isSourceDamaged: boolean;
}

/** Folder of the HLS files below the video's. */
export const hlsFolder = "hls";

/** Encodes all renditions in one pass. A second run starts from the beginning. */
export async function makeLadder(
  pipeline: PipelineContext,
  source: SourceVideo,
  onOutTime?: (outTimeS: number) => void,
): Promise<LadderOutput> {
  const { facts, fps } = source;
  const folder = path.join(source.workDir, hlsFolder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const rungs = planRungs(facts.video.width, facts.video.height, toFps(fps));
  const result = await pipeline.tools.ffmpeg({
    name: "ladder",
    args: ladderArgs(facts, source.sourcePath, {
      rungs,
      fps,
      threads: pipeline.threads,
      abilities: pipeline.report,
    }),
    cwd: folder,
    inputs: [source.sourcePath],
    outputDir: folder,
    limits: planLimits(facts, {
      decodedS: facts.durationS,
      encodedRungs: rungs.length,
      threads: pipeline.threads,
    }),
    signal: source.signal,
    onOutTime,
  });

  const damage = listDamage(facts, listDecoderErrors(result.stderr));
  const variants: VariantFacts[] = [];
  for (const rung of rungs) {
    variants.push({
      uri: `${rungName(rung)}.m3u8`,
      width: rung.width,
      height: rung.height,
      fps,
      codec: await readCodec(path.join(folder, `${rungName(rung)}.mp4`)),
      ...readPlaylist(await readFile(path.join(folder, `${rungName(rung)}.m3u8`), "utf8")),
    });
  }
  const hasAudio = facts.audio !== null;
  const sound = hasAudio
    ? {
        uri: `${audioName}.m3u8`,
        ...readPlaylist(await readFile(path.join(folder, `${audioName}.m3u8`), "utf8")),
      }
    : null;
  const durationS = Math.max(...variants.map((variant) => variant.durationS));
  if (!(durationS > 0)) throw new Error("the ladder holds no segment");
  await writeFile(path.join(folder, masterName), writeMasterPlaylist(variants, sound));

  return {
    files: await listFiles(folder, rungs, hasAudio, durationS),
    durationS: Math.max(durationS, sound?.durationS ?? 0),
    rungs: rungs.map(({ shortSide, width, height }, i) => ({
      shortSide,
      width,
      height,
      name: variants[i]?.uri ?? "",
    })),
    hasAudio,
    notices: [
      ...compareTracks(facts, { videoEndS: durationS, audioEndS: sound?.durationS ?? null }),
      ...damage.notices,
    ],
    isSourceDamaged: damage.isPictureDamaged,
  };
}

/** Media before the playlists that name it, the master last: no playlist names a missing file. */
async function listFiles(
  folder: string,
  rungs: Rung[],
  hasAudio: boolean,
  durationS: number,
): Promise<MediaFile[]> {
  const describe = (role: MediaFile["role"], name: string, size: Rung | null) =>
    describeFile(
      role,
      `${hlsFolder}/${name}`,
      path.join(folder, name),
      size === null ? null : { width: size.width, height: size.height, durationS },
    );
  const tracks: [string, Rung | null][] = [
    ...rungs.map((rung): [string, Rung | null] => [rungName(rung), rung]),
    ...(hasAudio ? [[audioName, null] satisfies [string, null]] : []),
  ];
  return [
    ...(await Promise.all(
      tracks.map(([name, rung]) => describe("hls_media", `${name}.mp4`, rung)),
    )),
    ...(await Promise.all(
      tracks.map(([name, rung]) => describe("hls_playlist", `${name}.m3u8`, rung)),
    )),
    await describe("hls_master", masterName, null),
  ];
}

async function readCodec(file: string): Promise<string> {
  const handle = await open(file, "r");
  try {
    const head = Buffer.alloc(4096);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    const codec = findAvcCodec(head.subarray(0, bytesRead));
    if (codec === null) throw new Error("a rendition has no decoder configuration");
    return codec;
  } finally {
    await handle.close();
  }
}
