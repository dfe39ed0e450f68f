import type { MediaFile } from "./vast-ad.ts";

const hlsTypes = new Set(["application/vnd.apple.mpegurl", "application/x-mpegurl"]);
const typeByExtension: Record<string, string> = {
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  m3u8: "application/vnd.apple.mpegurl",
};

/** Whether the type names an HLS playlist. */
export function isHls(type: string): boolean {
  return hlsTypes.has(type);
}

/** The extension of an address's path, lower case, without looking at its query. */
export function pathExtension(url: string): string {
  const path = (URL.parse(url, "http://x")?.pathname ?? "").toLowerCase();
  return /\.([a-z0-9]+)$/.exec(path)?.[1] ?? "";
}

/** A direct link to a film rather than a VAST tag: told by its path, never by its query. */
export function isDirectFile(url: string): boolean {
  return ["mp4", "webm"].includes(pathExtension(url));
}

/** The MIME type without its parameters; where the document gives none, from the file's name. */
export function mediaType(declared: string | null, url: string): string {
  const type = (declared ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type.includes("/")) return type === "video/x-mp4" ? "video/mp4" : type;
  return typeByExtension[pathExtension(url)] ?? "";
}

/** mp4 before webm before HLS: what starts soonest and plays in most browsers. */
function formatRank(type: string): number {
  if (type === "video/mp4") return 0;
  if (type === "video/webm") return 1;
  return isHls(type) ? 2 : 3;
}

/**
 * The files in the order in which they are to be tried: by format, then the smallest that is at
 * least as wide as the player, then wider ones, then narrower ones from the widest down; equal
 * widths by bitrate, highest first.
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
