import type { LabelItem } from "#contract/lists/labels.ts";
import { isTranscript } from "#contract/videos/transcript-tracks.ts";
import type { Chapter } from "#contract/videos/videos.ts";
import { videoTag, type PublishChanges } from "#server/db/change-tags.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { readChapters } from "#server/lib/chapters.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { findOutsideCause } from "#server/media/run/failure-causes.ts";
import { createStepFolder, mediaUrl, sitePictureKeyOf } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { RestrictionsService } from "#server/features/restrictions/restrictions.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { mayPlay } from "#server/features/videos/may-play.ts";
import type { MediaAccess } from "#server/features/videos/files/media-access.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ProcessingStateService } from "#server/features/videos/processing-state/processing-state.service.ts";
import {
  audioRole,
  dropAudio,
  hasPodcasts,
  keepGuidBase,
  listEpisodeRows,
  listNeedlessAudio,
  listPodcastLabels,
  listWithoutAudio,
  saveAudio,
} from "./podcasts.repository.ts";

interface EpisodeFile {
  /** Address without the site's origin. */
  url: string;
  type: "audio/mp4" | "video/mp4";
  sizeBytes: number;
}

/** What a podcast app needs of a video, besides its title and description. */
export interface Episode {
  durationS: number;
  /** Null while the sound has not been cut yet. */
  file: EpisodeFile | null;
  chapters: readonly Chapter[];
  transcripts: { url: string; language: string }[];
  isExplicit: boolean;
}

export type EpisodeKind = "audio" | "video";

/**
 * Returns the pictures from which artwork can be made, the best first: the label's, a video's, and the
 * site's logo.
 */
const artworkSources = (
  label: Pick<LabelItem, "imageUrl" | "coverUrl"> | null,
  logo: string | null,
): string[] =>
  [label?.imageUrl, label?.coverUrl, mediaUrl(sitePictureKeyOf(logo))].flatMap((url) =>
    url == null ? [] : url.replace(/^\/media\//, ""),
  );

/**
 * Returns the key of the artwork made from a picture. It is beside the picture, so it is deleted
 * with it.
 */
const artworkKeyOf = (pictureKey: string): string => `${pictureKey}-podcast.jpg`;

const maxAtOnce = 50;

interface Deps {
  db: Db;
  storage: Storage;
  media: Media;
  processingState: ProcessingStateService;
  storedFiles: StoredFiles;
  mediaAccess: MediaAccess;
  labels: LabelsService;
  settings: SettingsService;
  restrictions: RestrictionsService;
  changed: PublishChanges;
  logger: Logger;
}

/** Runs one piece of work. A failure that isn't the environment's must not stop the others. */
async function attempt(
  { logger, about, signal }: { logger: Logger; about: object; signal: AbortSignal },
  work: () => Promise<void>,
) {
  try {
    await work();
  } catch (error) {
    if (signal.aborted || isDatabaseUnreachable(error)) throw error;
    logger.warn({ err: error, ...about }, "couldn't make a file of a podcast");
    const cause = findOutsideCause(error);
    return cause !== null && cause.canComeFromFile !== true ? "outside" : "file";
  }
  return "done";
}

/** Artwork of podcasts: square pictures made from larger ones. */
function createArtwork({ db, storage, media, labels, settings, logger }: Deps) {
  async function makeArtwork(pictureKey: string, signal: AbortSignal): Promise<void> {
    const key = artworkKeyOf(pictureKey);
    if ((await storage.findStat(key)) !== null) return;
    if ((await storage.findStat(pictureKey)) === null) return;
    await using scratch = await storage.createScratch();
    const path = await storage.withLocalFile(
      pictureKey,
      (picturePath) => media.makeArtwork(picturePath, scratch.path, signal),
      signal,
    );
    await storage.putFile(key, path, { consume: true, signal });
  }

  /**
   * Makes the artwork that feeds lack: from the best picture of each podcast, and from the logo. Feeds
   * use the logo's until the artwork of a new picture is ready.
   */
  async function makeAll(signal: AbortSignal): Promise<void> {
    const { logoUrl } = await settings.current();
    const sources = new Set(artworkSources(null, logoUrl));
    for (const { kind, id } of await listPodcastLabels(db)) {
      const label = await labels.get(kind, id, true).catch((error: unknown) => {
        if (error instanceof AppError) return null;
        throw error;
      });
      const [best] = label === null ? [] : artworkSources(label, logoUrl);
      if (best !== undefined) sources.add(best);
    }
    for (const source of sources) {
      await attempt({ logger, about: { source }, signal }, () => makeArtwork(source, signal));
    }
  }

  /** Returns the address of the best artwork that exists for a label or the site, or null. */
  async function find(
    label: Pick<LabelItem, "imageUrl" | "coverUrl"> | null,
  ): Promise<string | null> {
    const { logoUrl } = await settings.current();
    for (const source of artworkSources(label, logoUrl)) {
      const key = artworkKeyOf(source);
      if ((await storage.findStat(key)) !== null) return mediaUrl(key);
    }
    return null;
  }

  return { makeAll, find };
}

/** Podcasts: their episodes and artwork, and the files that apps load. */
export function createPodcasts(deps: Deps) {
  const { db, storage, media, processingState: state, storedFiles, settings, logger } = deps;
  const artwork = createArtwork(deps);

  const sizeOf = async (key: string) => (await storage.findStat(key))?.sizeBytes ?? null;

  async function findFile(
    { audioKey, progressiveKey }: { audioKey: string | null; progressiveKey: string | null },
    kind: EpisodeKind,
    hasNoSound: boolean,
  ): Promise<EpisodeFile | null> {
    const isVideo = kind === "video" || hasNoSound;
    const key = isVideo ? progressiveKey : audioKey;
    const sizeBytes = key === null ? null : await sizeOf(key);
    if (key === null || sizeBytes === null) return null;
    return { url: mediaUrl(key), type: isVideo ? "video/mp4" : "audio/mp4", sizeBytes };
  }

  /** Returns whether everyone may have a video's files: without a pass, age or country check. */
  async function isForEveryone({ id, mediaToken }: { id: string; mediaToken: string }) {
    if (deps.restrictions.isRestricted(id)) return false;
    const access = await deps.mediaAccess(mediaToken);
    return access?.who === "all" && mayPlay(access, { isAdmin: false });
  }

  /** Cuts the sound of one video. */
  async function cut(id: string, signal: AbortSignal): Promise<void> {
    const video = await state.find(id);
    const progressiveKey = video?.files.progressive ?? null;
    if (video === null || progressiveKey === null) return;
    await storedFiles.withoutLeftovers(video, async () => {
      await using scratch = await storage.createScratch();
      const file = await storage.withLocalFile(
        progressiveKey,
        async (sourcePath) => {
          const facts = await media.probe(sourcePath, signal);
          return media.cutAudio({ sourcePath, facts, workDir: scratch.path, signal });
        },
        signal,
      );
      if (file === null) return state.saveFiles(id, [], { skipped: [audioRole] });
      const key = createStepFolder(video.mediaToken) + file.name;
      await storage.putFile(key, file.path, { consume: true, signal });
      if (!(await saveAudio(db, { id, progressiveKey, key }))) return storage.delete(key);
      await noteAudio(id);
    });
  }

  /** Updates the size of a video's files, and the feeds, after its sound was saved or dropped. */
  async function noteAudio(id: string): Promise<void> {
    const current = await state.find(id);
    if (current !== null) await state.saveStoredBytes(id, await storedFiles.countBytes(current));
    await deps.changed([videoTag(id)]);
  }

  /** Drops the sound of videos that became limited, such as to members. */
  async function dropNeedless(signal: AbortSignal): Promise<void> {
    for (;;) {
      const audios = await listNeedlessAudio(db, maxAtOnce);
      if (audios.length === 0) return;
      for (const audio of audios) {
        signal.throwIfAborted();
        await dropAudio(db, audio);
        await noteAudio(audio.id);
      }
    }
  }

  return {
    hasPodcasts: () => hasPodcasts(db),

    /**
     * Returns the episodes among listed videos, by id. Leaves out videos that not everyone may see,
     * because podcast apps can't confirm an age, and directories copy what they load.
     */
    async findEpisodes(
      ids: readonly string[],
      kind: EpisodeKind,
    ): Promise<ReadonlyMap<string, Episode>> {
      const { ageGate } = await settings.current();
      const rows = ageGate || ids.length === 0 ? [] : await listEpisodeRows(db, ids);
      const found = await Promise.all(
        rows.map(async (row): Promise<[string, Episode] | null> => {
          if (!(await isForEveryone(row))) return null;
          const described = readChapters(row.description, row.durationS);
          const episode = {
            durationS: row.durationS,
            file: await findFile(row, kind, row.hasNoSound),
            chapters: described.length > 0 ? described : row.chapters,
            transcripts: row.captions
              .filter(isTranscript)
              .map(({ key, language }) => ({ url: mediaUrl(key), language })),
            isExplicit: row.isSensitive,
          };
          return [row.id, episode];
        }),
      );
      return new Map(found.filter((entry) => entry !== null));
    },

    /** Returns the first address of a podcast's page. It stays the same after renames. */
    keepGuidBase: (podcast: Parameters<typeof keepGuidBase>[1]) => keepGuidBase(db, podcast),

    findArtwork: artwork.find,

    /**
     * Makes all files that podcasts lack: artwork, then the sound of the newest videos first. Drops
     * the sound of videos that became limited.
     */
    async makeFiles(signal: AbortSignal): Promise<void> {
      if (!(await hasPodcasts(db))) return;
      await artwork.makeAll(signal);
      await dropNeedless(signal);
      // No feed has episodes meanwhile.
      if ((await settings.current()).ageGate || deps.restrictions.restrictsAll()) return;
      const tried: string[] = [];
      for (;;) {
        const ids = await listWithoutAudio(db, { limit: maxAtOnce, except: tried });
        if (ids.length === 0) return;
        // Cutting the sound of many videos takes hours, in which covers change.
        if (tried.length > 0) await artwork.makeAll(signal);
        for (const videoId of ids) {
          signal.throwIfAborted();
          tried.push(videoId);
          const result = await attempt({ logger, about: { videoId }, signal }, () =>
            cut(videoId, signal),
          );
          if (result !== "file") continue;
          const addedNotices = [
            "Couldn't make the sound for podcasts. See the log for the reason.",
          ];
          await state.saveFiles(videoId, [], { skipped: [audioRole], addedNotices });
        }
      }
    },
  };
}

export type Podcasts = ReturnType<typeof createPodcasts>;
