import { videoFileKinds, type VideoFileList } from "#contract/videos/admin-videos.ts";
import { efficientFolder, hdrFolder } from "#server/media/plan/ladder.ts";
import { stepFolder, videoFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { VideoRow } from "../videos.repository.ts";
import { entriesInUse, filesOf } from "./video-files.ts";
import { sourceKeyOf } from "./video-source.ts";

type File = VideoFileList["files"][number];

/** Returns the sizes of the files that a video uses now. Leaves out leftovers of earlier runs. */
export async function listVideoFiles(
  storage: Pick<Storage, "list" | "findStat">,
  row: VideoRow,
): Promise<Omit<VideoFileList, "replacement" | "sameFileAs">> {
  const own = filesOf(row);
  const inUse = entriesInUse(own, row.captions);
  const ladder = own.hls_master === null ? null : stepFolder(own.hls_master);
  const folder = videoFolder(row.media_token);
  const files: File[] = [];
  for await (const { key, sizeBytes } of storage.list(folder)) {
    const [entry = ""] = key.slice(folder.length).split("/");
    if (!inUse.has(entry)) continue;
    const height = /\/v(\d+)\.mp4$/.exec(key)?.[1];
    const kind = (): File["kind"] => {
      if (key === own.progressive) return "progressive";
      if (key === own.progressive_small) return "small";
      if (ladder !== null && key.startsWith(ladder) && key.endsWith(".mp4")) {
        if (height === undefined) return "sound";
        if (key.includes(`/${hdrFolder}`)) return "hdr";
        return key.includes(`/${efficientFolder}`) ? "efficient" : "rendition";
      }
      return /\.(jpe?g|webp|avif|png)$/.test(key) || key === own.preview ? "picture" : "other";
    };
    files.push({ kind: kind(), height: height === undefined ? null : Number(height), sizeBytes });
  }
  const original = await storage.findStat(sourceKeyOf(row));
  return { originalBytes: original?.sizeBytes ?? null, files: joined(files) };
}

const rendered: ReadonlySet<File["kind"]> = new Set(["rendition", "efficient", "hdr"]);

/**
 * Combines the pictures, the playlists and the remaining files into one entry each. Renditions are
 * sorted by size, largest first.
 */
function joined(files: readonly File[]): File[] {
  const sums = new Map<string, File>();
  for (const file of files) {
    const height = rendered.has(file.kind) ? file.height : null;
    const name = `${file.kind}-${height ?? ""}`;
    const sum = sums.get(name);
    const sizeBytes = (sum?.sizeBytes ?? 0) + file.sizeBytes;
    sums.set(name, { kind: file.kind, height, sizeBytes });
  }
  const rankOf = ({ kind }: File) => videoFileKinds.indexOf(kind);
  return [...sums.values()].toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (b.height ?? 0) - (a.height ?? 0),
  );
}
