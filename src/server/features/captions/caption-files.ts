import { posix } from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { collectLines } from "#server/lib/captions/line-collector.ts";
import { readWebVtt, writeWebVtt } from "#server/lib/captions/webvtt.ts";
import { createCaptionFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { newToken } from "#server/lib/ids.ts";
import { efficientMasterName, largeMasterName, masterName } from "#server/media/plan/ladder.ts";
import { quoteAttribute } from "#server/media/plan/master-playlist.ts";

/**
 * Returns the key of a track's playlist, which is beside its WebVTT file. The key contains the
 * duration. A new video file may have a different duration, but cached playlists must stay valid.
 */
const playlistKeyOf = (key: string, durationS: number): string =>
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
const ladderMasterKeys = (masterKey: string): string[] =>
  [efficientMasterName, largeMasterName, masterName].map((name) =>
    posix.join(posix.dirname(masterKey), name),
  );

/** Creates a new name for every set of captions, so that cached playlists stay valid. */
const createMasterKey = (masterKey: string): string =>
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

/** Reads a file that `write` wrote. Captions that roll were unrolled when they were added. */
function readStored(bytes: Buffer): CaptionLine[] {
  const collector = collectLines();
  readWebVtt(bytes.toString(), collector);
  return [...collector.lines];
}

const maxStoredBytes = 16 * 1024 * 1024;
const maxMasterBytes = 400_000;

/**
 * Caption files in storage: WebVTT files, their playlists, and the master playlists that list them.
 */
export function createCaptionFiles(storage: Storage) {
  async function findLadderMaster(hlsKey: string): Promise<string | null> {
    for (const key of ladderMasterKeys(hlsKey)) {
      if ((await storage.findStat(key)) !== null) return key;
    }
    return null;
  }

  return {
    /** @returns the key of the WebVTT file. */
    async write(mediaToken: string, lines: readonly CaptionLine[]): Promise<string> {
      const key = `${createCaptionFolder(mediaToken)}captions.vtt`;
      await storage.putBytes(key, writeWebVtt(lines));
      return key;
    },

    read: async ({ key }: Pick<StoredCaption, "key">): Promise<CaptionLine[]> =>
      readStored(await storage.readBytes(key, maxStoredBytes)),

    /** Reads the lines at the start of a file, up to a number of bytes. */
    async readStart(
      { key }: Pick<StoredCaption, "key">,
      maxBytes: number,
    ): Promise<{ lines: CaptionLine[]; isWhole: boolean }> {
      const object = await storage.openRead(key);
      try {
        const { sizeBytes } = object.stat;
        const isWhole = sizeBytes <= maxBytes;
        const pieces: Buffer[] = [];
        const range = { start: 0, end: Math.min(sizeBytes, maxBytes) - 1 };
        for await (const piece of object.pieces(range)) pieces.push(Buffer.from(piece));
        const bytes = Buffer.concat(pieces);
        // An empty row ends each line of the files that are written here.
        const end = isWhole ? bytes.length : bytes.lastIndexOf("\n\n");
        return { lines: readStored(bytes.subarray(0, end)), isWhole };
      } finally {
        object.close();
      }
    },

    /**
     * Writes the captions' playlists, and the master playlist for a ladder of this duration.
     * @returns the master playlist's key.
     */
    async writeMaster(
      { hlsKey, durationS }: { hlsKey: string; durationS: number },
      captions: readonly StoredCaption[],
    ): Promise<string> {
      const ladderKey = await findLadderMaster(hlsKey);
      // Leaves playlists written by other programs unchanged.
      if (ladderKey === null) return hlsKey;
      if (captions.length === 0) return ladderKey;
      const master = (await storage.readBytes(ladderKey, maxMasterBytes)).toString();
      for (const caption of captions) {
        const playlist = writeCaptionPlaylist(posix.basename(caption.key), durationS);
        await storage.putBytes(playlistKeyOf(caption.key, durationS), playlist);
      }
      const key = createMasterKey(hlsKey);
      await storage.putBytes(key, addSubtitles(master, key, { captions, durationS }));
      return key;
    },

    /** Deletes master playlists used neither now nor before the last change. Never throws. */
    async deleteOldMasters(hlsKeys: readonly string[]): Promise<void> {
      const [hlsKey] = hlsKeys;
      if (hlsKey === undefined) return;
      const kept = new Set([...hlsKeys, ...ladderMasterKeys(hlsKey)]);
      try {
        for await (const { key } of storage.list(`${posix.dirname(hlsKey)}/`)) {
          if (/\/master-[^/]+\.m3u8$/.test(key) && !kept.has(key)) await storage.delete(key);
        }
      } catch {
        // The file that is left is small. The next change deletes it.
      }
    },
  };
}

export type CaptionFiles = ReturnType<typeof createCaptionFiles>;
