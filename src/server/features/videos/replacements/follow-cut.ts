import {
  createCutMove,
  cutChapters,
  sumOf,
  type CutMove,
  type KeptPart,
} from "#contract/videos/kept-parts.ts";
import type { Translations } from "#contract/videos/translations.ts";
import type { BeforeCut, ChangedText, ClipPassage } from "#server/db/before-cut.ts";
import {
  listTimes,
  moveDescriptionTimes,
  moveTimes,
  readChapters,
  tidyChapters,
} from "#server/lib/chapters.ts";
import type { VideoRow } from "../videos.repository.ts";

/** Columns that change with a cut, besides captions. */
type Followed = Pick<
  VideoRow,
  "description" | "translations" | "midroll_times" | "chapters" | "kept_parts" | "before_cut"
> & { duration_s: number };

export interface TimedComment {
  id: string;
  text: string;
}

export interface PassageOfClip extends ClipPassage {
  /** Id of the clip. */
  id: string;
}

/** Moves a passage. One that is removed becomes the point of the cut. */
function movePassage({ startS, endS, thumbnailS }: ClipPassage, move: CutMove): ClipPassage {
  const placeS = move.toNew(startS);
  return {
    ...(move.stretch(startS, endS) ?? { startS: placeS, endS: placeS }),
    thumbnailS: thumbnailS === null ? null : move.toNew(thumbnailS),
  };
}

/** Returns the passages of a video's clips after another cut, and what undoing it restores. */
function followClips(
  { kept_parts: oldParts, before_cut: before }: Followed,
  clips: readonly PassageOfClip[],
  newParts: readonly KeptPart[] | null,
) {
  const toSource = createCutMove(oldParts, null);
  const toCut = createCutMove(null, newParts);
  const entries: NonNullable<BeforeCut["clips"]> = {};
  const moved = clips.map(({ id, ...now }) => {
    const entry = before?.clips?.[id];
    const isUnchanged = entry?.after.startS === now.startS && entry.after.endS === now.endS;
    const inSource = isUnchanged ? entry.before : movePassage(now, toSource);
    const next = movePassage(inSource, toCut);
    entries[id] = { before: inSource, after: next };
    return { id, ...next };
  });
  return { moved, entries };
}

/** Returns the last moment of the source that a video plays. */
const sourceEndS = (video: Followed): number => video.kept_parts?.at(-1)?.endS ?? video.duration_s;

/** Returns the texts and times of a video after another cut. */
export function followCut(
  video: Followed,
  comments: readonly TimedComment[],
  newParts: readonly KeptPart[] | null,
  clips: readonly PassageOfClip[] = [],
) {
  const { kept_parts: oldParts, duration_s: durationS, before_cut: before } = video;
  const move = createCutMove(oldParts, newParts);
  const newDurationS = newParts === null ? sourceEndS(video) : sumOf(newParts);
  const chapters = cutChapters(video.chapters, move, durationS);
  // Chapters of the description are shown instead of the file's.
  const described = readChapters(video.description, durationS);
  const shown = described.length > 0 ? cutChapters(described, move, durationS) : chapters;

  /** Returns the new text, and what undoing the cut restores; null if it has no times. */
  const follow = (
    text: string,
    entry: ChangedText | null | undefined,
    change: (text: string) => string,
  ): { text: string; entry: ChangedText | null } => {
    const isUnchanged = entry !== null && entry !== undefined && entry.after === text;
    if (newParts === null && isUnchanged) return { text: entry.before, entry: null };
    const next = change(text);
    if (isUnchanged) return { text: next, entry: { before: entry.before, after: next } };
    const isFirst = oldParts === null && next !== text;
    return { text: next, entry: isFirst ? { before: text, after: next } : null };
  };
  const changeDescription = (text: string): string =>
    moveDescriptionTimes(text, durationS, {
      move: move.toNew,
      isGone: (startS, endS) => move.stretch(startS, endS) === null,
    });

  const description =
    video.description === null
      ? null
      : follow(video.description, before?.description, changeDescription);
  const translated: BeforeCut["translations"] = {};
  const translations: Translations = {};
  for (const [language, each] of Object.entries(video.translations)) {
    const texts = each;
    if (texts?.description === undefined) {
      Object.assign(translations, { [language]: texts });
      continue;
    }
    const next = follow(texts.description, before?.translations[language], changeDescription);
    Object.assign(translations, { [language]: { ...texts, description: next.text } });
    if (next.entry !== null) translated[language] = next.entry;
  }

  const changedComments: TimedComment[] = [];
  const commented: BeforeCut["comments"] = {};
  for (const { id, text } of comments) {
    const next = follow(text, before?.comments[id], (given) =>
      moveTimes(given, durationS, move.toNew),
    );
    if (next.text !== text) changedComments.push({ id, text: next.text });
    if (next.entry !== null) commented[id] = next.entry;
  }

  const old = video.midroll_times;
  const entry = before?.midrollTimes ?? null;
  const own = entry !== null && old !== null && entry.after.join() === old.join() ? entry : null;
  const moved = (old ?? [])
    .filter((timeS) => move.isKept(timeS))
    .map(move.toNew)
    .filter((timeS) => timeS > 0 && timeS < newDurationS);
  const midrolls = old === null ? null : newParts === null && own !== null ? own.before : moved;
  const isFirst = oldParts === null;
  const beforeMidrolls = own?.before ?? (isFirst ? old : null);
  const passages = followClips(video, clips, newParts);

  return {
    values: {
      description: description?.text ?? null,
      translations: JSON.stringify(translations),
      midroll_times: midrolls,
      chapters: JSON.stringify(
        newParts === null && before !== null
          ? before.chapters
          : tidyChapters(chapters.kept, newDurationS),
      ),
    },
    comments: changedComments,
    clips: passages.moved,
    before: {
      chapters: before?.chapters ?? video.chapters,
      midrollTimes:
        beforeMidrolls === null || midrolls === null
          ? null
          : { before: beforeMidrolls, after: midrolls },
      description: description?.entry ?? null,
      translations: translated,
      comments: commented,
      clips: passages.entries,
    } satisfies Omit<BeforeCut, "captions">,
    /** Content of the removed parts. */
    dropped: {
      chapters: shown.dropped.map(({ title }) => title),
      midrollTimes: (old ?? []).filter((timeS) => !move.isKept(timeS)),
      comments: comments.filter(({ text }) =>
        listTimes(text, durationS).some((timeS) => !move.isKept(timeS)),
      ).length,
    },
  };
}
