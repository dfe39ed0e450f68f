import { posix } from "node:path";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { newToken } from "#server/lib/ids.ts";
import { efficientMasterName, largeMasterName, masterName } from "#server/media/plan/ladder.ts";
import { quoteAttribute } from "#server/media/plan/master-playlist.ts";

/**
 * Returns the key of a track's playlist, which is beside its WebVTT file. The key contains the
 * duration. A new video file may have a different duration, but cached playlists must stay valid.
 */
export const playlistKeyOf = (key: string, durationS: number): string =>
  key.replace(/\.vtt$/, `-${Math.round(lengthOf(durationS) * 1000)}.m3u8`);

/** Avoids a duration of zero, because players reject segments of zero length. */
const lengthOf = (durationS: number): number => Math.max(durationS, 0.1);

/** Writes a playlist with one segment. Captions are small and load only when they are shown. */
export function writeCaptionPlaylist(fileName: string, durationS: number): string {
  const lengthS = lengthOf(durationS);
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${Math.ceil(lengthS)}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    `#EXTINF:${lengthS.toFixed(3)},`,
    fileName,
    "#EXT-X-ENDLIST",
    "",
  ].join("\n");
}

/**
 * Returns the master playlists written with the ladder, without captions, newest first. They don't
 * all exist, because some are for renditions above 1080 lines or in AV1.
 */
export const ladderMasterKeys = (masterKey: string): string[] =>
  [efficientMasterName, largeMasterName, masterName].map((name) =>
    posix.join(posix.dirname(masterKey), name),
  );

/** Creates a new name for every set of captions, so that cached playlists stay valid. */
export const createMasterKey = (masterKey: string): string =>
  posix.join(posix.dirname(masterKey), `master-${newToken(6)}.m3u8`);

/** Adds caption tracks to a master playlist as renditions (RFC 8216, 4.3.4.1). */
export function addSubtitles(
  master: string,
  masterKey: string,
  { captions, durationS }: { captions: readonly StoredCaption[]; durationS: number },
): string {
  const folder = posix.dirname(masterKey);
  const names = new Set<string>();
  const media = captions.map((caption) => {
    // Names within a group must be unique.
    let { name } = caption;
    for (let number = 2; names.has(name); number += 1) name = `${caption.name} ${number}`;
    names.add(name);
    const attributes = [
      ...["TYPE=SUBTITLES", 'GROUP-ID="captions"', `NAME=${quoteAttribute(name)}`],
      ...(caption.language === "und" ? [] : [`LANGUAGE=${quoteAttribute(caption.language)}`]),
      `DEFAULT=${caption.isDefault ? "YES" : "NO"}`,
      `AUTOSELECT=${caption.isDefault || caption.isForced ? "YES" : "NO"}`,
      `FORCED=${caption.isForced ? "YES" : "NO"}`,
      `URI=${quoteAttribute(posix.relative(folder, playlistKeyOf(caption.key, durationS)))}`,
    ];
    return `#EXT-X-MEDIA:${attributes.join(",")}`;
  });
  const lines = master
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith("#EXT-X-STREAM-INF:") ? `${line},SUBTITLES="captions"` : line));
  const first = lines.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF:"));
  lines.splice(Math.max(first, 0), 0, ...media);
  return `${lines.join("\n")}\n`;
}
