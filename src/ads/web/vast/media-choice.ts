import type { MediaFile } from "./vast-ad.ts";

const hlsTypes = new Set(["application/vnd.apple.mpegurl", "application/x-mpegurl"]);
const typeByExtension: Record<string, string> = {
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  m3u8: "application/vnd.apple.mpegurl",
};

/** Returns whether the type is an HLS playlist. */
export function isHls(type: string): boolean {
  return hlsTypes.has(type);
}

/** Returns the lower-case extension of a URL's path, ignoring the query. */
function pathExtension(url: string): string {
  const path = (URL.parse(url, "http://x")?.pathname ?? "").toLowerCase();
  return /\.([a-z0-9]+)$/.exec(path)?.[1] ?? "";
}

/** Returns whether the URL's path is a video file and not a VAST tag. */
export function isDirectFile(url: string): boolean {
  return ["mp4", "webm"].includes(pathExtension(url));
}

/** Returns the MIME type without parameters, derived from the file name if none is declared. */
export function mediaType(declared: string | null, url: string): string {
  const type = (declared ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type.includes("/")) return type === "video/x-mp4" ? "video/mp4" : type;
  return typeByExtension[pathExtension(url)] ?? "";
}

/** Ranks MP4 before WebM and WebM before HLS, by startup speed and browser support. */
function formatRank(type: string): number {
  if (type === "video/mp4") return 0;
  if (type === "video/webm") return 1;
  return isHls(type) ? 2 : 3;
}

/**
 * Returns the files in the order in which the player tries them: by format, then files at least as
 * wide as the player from the narrowest up, then narrower files from the widest down. For equal
 * widths, the highest bitrate comes first.
 */
export function orderMediaFiles(files: readonly MediaFile[], playerWidthPx: number): MediaFile[] {
  const distance = (file: MediaFile) =>
    file.widthPx >= playerWidthPx
      ? file.widthPx - playerWidthPx
      : 1_000_000 + (playerWidthPx - file.widthPx);
  return files.toSorted(
    (a, b) =>
      formatRank(a.type) - formatRank(b.type) ||
      distance(a) - distance(b) ||
      b.bitrateKbps - a.bitrateKbps,
  );
}
