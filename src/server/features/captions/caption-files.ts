import { posix } from "node:path";
import type { CaptionLine } from "#contract/videos/captions.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import { readCaptions } from "#server/lib/captions/read-captions.ts";
import { writeWebVtt } from "#server/lib/captions/webvtt.ts";
import { createCaptionFolder } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import {
  addSubtitles,
  createMasterKey,
  ladderMasterKeys,
  playlistKeyOf,
  writeCaptionPlaylist,
} from "./subtitle-renditions.ts";

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
      readCaptions(await storage.readBytes(key, maxStoredBytes)).lines,

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
