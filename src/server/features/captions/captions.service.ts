import { isDeepStrictEqual } from "node:util";
import { withoutTicket } from "#contract/accounts/page-token.ts";
import {
  captionLimits,
  type AddedCaption,
  type AdminCaption,
  type AdminCaptions,
  type CaptionChange,
  type CaptionDetails,
  type CaptionLine,
  type CaptionUploadQuery,
} from "#contract/videos/captions.ts";
import { createCutMove, type CutMove, type KeptPart } from "#contract/videos/kept-parts.ts";
import { nameOfLanguage } from "#contract/videos/track-names.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import type { StoredCaption } from "#server/db/stored-caption.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import { cleanText } from "#server/lib/captions/caption-text.ts";
import { readCaptions, tidyLines } from "#server/lib/captions/read-captions.ts";
import { newToken } from "#server/lib/ids.ts";
import { cleanLanguage } from "#server/lib/track-language.ts";
import { mediaUrl } from "#server/storage/media-keys.ts";
import type { StoredFiles } from "#server/features/videos/files/stored-files.service.ts";
import type { ProcessedVideo } from "#server/features/videos/processing-state/processed-video.ts";
import type {
  CutCaptions,
  WrittenMaster,
} from "#server/features/videos/replacements/replacements.service.ts";
import type { CaptionFiles } from "./caption-files.ts";
import { audited, createCaptionUpdates } from "./caption-updates.ts";
import type { CaptionVideo } from "./captions.repository.ts";
import * as repository from "./captions.repository.ts";

/** Returns the label of a track without its own name. */
const nameOfCaption = (language: string): string => nameOfLanguage(language) ?? "Captions";

/** Adds or replaces a track. At most one track remains the default. */
function withCaption(captions: readonly StoredCaption[], caption: StoredCaption): StoredCaption[] {
  const others = captions.map((each) =>
    caption.isDefault && each.id !== caption.id ? { ...each, isDefault: false } : each,
  );
  const at = others.findIndex(({ id }) => id === caption.id);
  if (at >= 0) return others.with(at, caption);
  if (others.length >= captionLimits.maxTracks) {
    throw new AppError(
      "conflict",
      `A video can have at most ${captionLimits.maxTracks} caption tracks. Delete one first.`,
    );
  }
  return [...others, caption];
}

function getCaption(captions: readonly StoredCaption[], id: string): StoredCaption {
  const found = captions.find((caption) => caption.id === id);
  if (found === undefined) throw new AppError("not_found", "Captions not found.");
  return found;
}

/** Track that processing found in the video's file, or that a command generated. */
interface FoundTrack {
  /** Index of its stream; null for a generated track. */
  track: number | null;
  language: string | null;
  name: string | null;
  isDefault: boolean;
  isForced: boolean;
  isDescription?: boolean;
  lines: CaptionLine[];
}

const toAdmin = (caption: StoredCaption): AdminCaption => ({
  id: caption.id,
  language: caption.language,
  name: caption.name,
  url: mediaUrl(caption.key),
  isDefault: caption.isDefault,
  isForced: caption.isForced,
  origin: caption.origin,
  lineCount: caption.lineCount,
});

const sourceOf = ({ sourceKey, keptParts }: Pick<ProcessedVideo, "sourceKey" | "keptParts">) => ({
  sourceKey,
  keptParts,
});

/** Adds tracks that the video doesn't have yet. Skips the file's tracks once the video has the maximum number. */
async function addTracks(
  video: { captions: StoredCaption[]; mediaToken: string },
  origin: "file" | "automatic",
  tracks: readonly FoundTrack[],
  files: CaptionFiles,
): Promise<StoredCaption[]> {
  let captions = video.captions;
  for (const found of tracks) {
    const isThere = captions.some((each) => each.origin === origin && each.track === found.track);
    if (isThere) continue;
    if (origin === "file" && captions.length >= captionLimits.maxTracks) break;
    const language = cleanLanguage(found.language);
    captions = withCaption(captions, {
      id: newToken(6),
      language,
      name: (found.name ?? nameOfCaption(language)).slice(0, 60).toWellFormed(),
      // Most files mark their first track as the default, so this isn't the operator's
      // choice.
      isDefault: false,
      isForced: found.isForced,
      ...(found.isDescription === true ? { isDescription: true } : {}),
      origin,
      track: found.track,
      lineCount: found.lines.length,
      key: await files.write(video.mediaToken, found.lines),
    });
  }
  return captions;
}

/** Aborts an update because the video already has the track. */
class TrackPresent extends Error {
  readonly track: StoredCaption;

  constructor(track: StoredCaption) {
    super("The video already has this track");
    this.track = track;
  }
}

/**
 * Writes a video's captions for a new cut. Lines are moved, shortened or removed. If the whole
 * source plays again, tracks that nobody has changed since the cut are restored.
 */
async function cutCaptions(
  files: CaptionFiles,
  video: CaptionVideo,
  newParts: readonly KeptPart[] | null,
): Promise<CutCaptions> {
  const { keptParts, captions, mediaToken } = video;
  const entries = video.beforeCut?.captions ?? [];
  const move = createCutMove(keptParts, newParts);
  const next: CutCaptions = { captions: [], before: entries.filter(({ after }) => after === null) };
  for (const caption of captions) {
    const entry = entries.find(({ after }) => after === caption.key);
    if (newParts === null && entry !== undefined) {
      const { key, lineCount } = entry.before;
      next.captions.push({ ...caption, key, lineCount });
      continue;
    }
    const lines = moveLines(await files.read(caption), move);
    const key = lines.length === 0 ? null : await files.write(mediaToken, lines);
    if (key !== null) next.captions.push({ ...caption, key, lineCount: lines.length });
    // A track added or changed since the first cut has no version in times of the source.
    const isFirst = keptParts === null;
    if (entry !== undefined) next.before.push({ before: entry.before, after: key });
    else if (isFirst) next.before.push({ before: caption, after: key });
  }
  if (newParts !== null) return next;
  const dropped = next.before.map(({ before }) => before);
  const ids = new Set(next.captions.map(({ id }) => id));
  const freePlaces = Math.max(0, captionLimits.maxTracks - next.captions.length);
  const hasDefault = next.captions.some(({ isDefault }) => isDefault);
  const restored = dropped
    .filter(({ id }) => !ids.has(id))
    .slice(0, freePlaces)
    .map((each) => ({ ...each, isDefault: each.isDefault && !hasDefault }));
  return { captions: [...next.captions, ...restored], before: [] };
}

/** Moves lines to their times after a cut. Drops those in removed parts. */
const moveLines = (lines: readonly CaptionLine[], move: CutMove): CaptionLine[] =>
  tidyLines(
    lines.flatMap((line) => {
      const rest = move.stretch(line.startMs / 1000, line.endMs / 1000);
      if (rest === null) return [];
      const { startS, endS } = rest;
      return [{ ...line, startMs: Math.round(startS * 1000), endMs: Math.round(endS * 1000) }];
    }),
  );

/** Creates functions with which other features cut videos. */
const createCaptionCuts = (
  files: CaptionFiles,
  getVideo: (idOrSlug: string) => Promise<CaptionVideo>,
) => ({
  /** Counts the caption lines that a cut removes. */
  async countCutLines(videoId: string, newParts: readonly KeptPart[]): Promise<number> {
    const { captions, keptParts } = await getVideo(videoId);
    const move = createCutMove(keptParts, newParts);
    let count = 0;
    for (const caption of captions) {
      const lines = await files.read(caption);
      count += lines.length - moveLines(lines, move).length;
    }
    return count;
  },

  /**
   * Copies the captions of a video to a draft of parts of it.
   * @param newParts parts of the source.
   */
  async copyCut(
    videoId: string,
    newParts: readonly KeptPart[],
    mediaToken: string,
  ): Promise<StoredCaption[]> {
    const { captions, keptParts } = await getVideo(videoId);
    const move = createCutMove(keptParts, newParts);
    const copies: StoredCaption[] = [];
    for (const caption of captions) {
      const lines = moveLines(await files.read(caption), move);
      if (lines.length === 0) continue;
      const key = await files.write(mediaToken, lines);
      copies.push({ ...caption, id: newToken(6), key, lineCount: lines.length });
    }
    return copies;
  },
});

export function createCaptionsService(deps: {
  db: Db;
  files: CaptionFiles;
  storedFiles: StoredFiles;
  changed: PublishChanges;
}) {
  const { db, files } = deps;
  const { getVideo, update } = createCaptionUpdates(deps);

  return {
    async list(idOrSlug: string): Promise<Pick<AdminCaptions, "captions"> & { videoId: string }> {
      const video = await getVideo(idOrSlug);
      return { videoId: video.id, captions: video.captions.map(toAdmin) };
    },

    async get(idOrSlug: string, captionId: string): Promise<CaptionDetails> {
      const caption = getCaption((await getVideo(idOrSlug)).captions, captionId);
      return { ...toAdmin(caption), lines: await files.read(caption) };
    },

    /**
     * @param bytes an SRT, WebVTT or ASS file.
     * @param options.unlessPresent true to leave an uploaded track of this language, name and kind
     *   unchanged. @throws AppError unsupported_media, invalid, conflict.
     */
    async add(
      idOrSlug: string,
      bytes: Uint8Array,
      given: CaptionUploadQuery,
      actor: Actor,
      { unlessPresent = false }: { unlessPresent?: boolean } = {},
    ): Promise<AddedCaption> {
      const language = cleanLanguage(given.language);
      const name = given.name === "" ? nameOfCaption(language) : given.name;
      const { lines, missedRows, replacedCharacters } = readCaptions(bytes, language);
      const isSame = (each: StoredCaption) =>
        each.origin === "upload" &&
        each.language === language &&
        each.name === name &&
        each.isForced === given.isForced;
      const id = newToken(6);
      const captions = await update(
        idOrSlug,
        async (video) => {
          // Checked at each attempt, because another process may just have added the track.
          const present = unlessPresent ? video.captions.find(isSame) : undefined;
          if (present !== undefined) throw new TrackPresent(present);
          return withCaption(video.captions, {
            id,
            language,
            name,
            isDefault: given.isDefault,
            isForced: given.isForced,
            origin: "upload",
            track: null,
            lineCount: lines.length,
            key: await files.write(video.mediaToken, lines),
          });
        },
        audited(actor, "video.captions-added", id, { language, lines: lines.length }),
      ).catch((error: unknown) => {
        if (error instanceof TrackPresent) return error.track;
        throw error;
      });
      if (!Array.isArray(captions)) {
        return { ...toAdmin(captions), missedRows, replacedCharacters };
      }
      return { ...toAdmin(getCaption(captions, id)), missedRows, replacedCharacters };
    },

    async change(
      idOrSlug: string,
      captionId: string,
      change: CaptionChange,
      actor: Actor,
    ): Promise<CaptionDetails> {
      const { lines: given, expectedUrl, language, name, ...flags } = change;
      const lines =
        given === undefined
          ? undefined
          : tidyLines(given.map((line) => ({ ...line, text: cleanText(line.text) })));
      if (lines?.length === 0) {
        throw new AppError("invalid", "The captions contain no line with text and valid times.");
      }
      const captions = await update(
        idOrSlug,
        async (video) => {
          const before = getCaption(video.captions, captionId);
          if (expectedUrl !== undefined && withoutTicket(expectedUrl) !== mediaUrl(before.key)) {
            throw new AppError(
              "conflict",
              "Someone else changed these captions in the meantime. Reload and try again.",
            );
          }
          const named = language === undefined ? before.language : cleanLanguage(language);
          return withCaption(video.captions, {
            ...before,
            ...flags,
            language: named,
            name: name === "" ? nameOfCaption(named) : (name ?? before.name),
            ...(lines === undefined
              ? {}
              : {
                  lineCount: lines.length,
                  key: await files.write(video.mediaToken, lines),
                }),
          });
        },
        audited(actor, "video.captions-changed", captionId, {
          ...flags,
          ...(language === undefined ? {} : { language }),
          ...(name === undefined ? {} : { name }),
          ...(lines === undefined ? {} : { lines: lines.length }),
        }),
      );
      const caption = getCaption(captions, captionId);
      return { ...toAdmin(caption), lines: lines ?? (await files.read(caption)) };
    },

    async remove(idOrSlug: string, captionId: string, actor: Actor): Promise<void> {
      await update(
        idOrSlug,
        (video) => {
          getCaption(video.captions, captionId);
          return Promise.resolve(video.captions.filter(({ id }) => id !== captionId));
        },
        audited(actor, "video.captions-removed", captionId, undefined),
      );
    },

    /**
     * Adds tracks that weren't uploaded. Leaves existing tracks of the same stream unchanged.
     * @param source what the tracks were made from, if that takes long enough for the video to get
     * another file or cut meanwhile.
     * @returns false if it has, so that the tracks don't fit and nothing was added.
     */
    async saveFound(
      videoId: string,
      origin: "file" | "automatic",
      tracks: readonly FoundTrack[],
      source?: Pick<ProcessedVideo, "sourceKey" | "keptParts">,
    ): Promise<boolean> {
      const isCurrent = (video: Pick<ProcessedVideo, "sourceKey" | "keptParts">) =>
        source === undefined || isDeepStrictEqual(sourceOf(video), sourceOf(source));
      if (tracks.length === 0) return source === undefined || isCurrent(await getVideo(videoId));
      let fits = true;
      await update(videoId, (video) => {
        fits = isCurrent(video);
        return fits ? addTracks(video, origin, tracks, files) : Promise.resolve(video.captions);
      });
      return fits;
    },

    /**
     * Writes the master playlist of a ladder with the video's captions. The ladder may belong to a
     * new file with a different duration.
     * @param ladder.newParts parts of a new cut, which the captions follow. Undefined without one.
     * @returns its key, the captions of the video, and those that it lists.
     */
    async writeMaster(
      videoId: string,
      {
        hlsKey,
        durationS,
        newParts,
      }: {
        hlsKey: string | null;
        durationS: number;
        newParts: readonly KeptPart[] | null | undefined;
      },
    ): Promise<WrittenMaster> {
      const video = await getVideo(videoId);
      const { captions } = video;
      const cut = newParts === undefined ? null : await cutCaptions(files, video, newParts);
      const listed = cut?.captions ?? captions;
      return {
        hlsKey: hlsKey === null ? null : await files.writeMaster({ hlsKey, durationS }, listed),
        captions,
        cut,
      };
    },

    ...createCaptionCuts(files, getVideo),

    /** Adds the captions to the master playlist of a new ladder. */
    async refreshMaster(videoId: string): Promise<void> {
      const video = await repository.findVideo(db, videoId);
      if (video === null || video.hlsKey === null) return;
      await update(videoId, ({ captions }) => Promise.resolve(captions));
    },
  };
}

export type CaptionsService = ReturnType<typeof createCaptionsService>;
