/**
 * Stretch of a track's timeline. The edit list of an MP4 says which parts of its media play, in
 * which order, and how fast (ISO 14496-12, 8.6.6).
 */
export interface TimelinePart {
  lengthS: number;
  /** Where it starts in the track's media; null if nothing plays. */
  mediaS: number | null;
  /** Media seconds per second. 0 holds a single frame. */
  rate: number;
}

/**
 * What plays of a track, from the start of the video. All outputs follow it, so media outside of
 * its parts is in no file that Kinora serves.
 */
export type Timeline = readonly TimelinePart[];

/** Entry of an edit list, in units of the movie and of the track. */
export interface Edit {
  duration: number;
  /** -1 if nothing plays. */
  mediaTime: number;
  rate: number;
}

interface Span {
  startS: number;
  endS: number;
}

/** Maximum difference between times that only differ by rounding. Some editors count in 1/600 s. */
const roundingS = 0.002;
/** Rates outside of these are errors in the file. */
const [minRate, maxRate] = [1 / 16, 16];

/**
 * Returns the timeline of a track, which is its whole media without an edit list.
 * @param media from its first frame or sample to its end.
 */
export function readTimeline(
  edits: readonly Edit[],
  scale: { movie: number; track: number },
  media: Span,
): Timeline {
  const whole = { lengthS: media.endS, mediaS: 0, rate: 1 };
  if (edits.length === 0 || scale.movie <= 0 || scale.track <= 0) return [whole];
  const shown = edits.filter(({ mediaTime }) => mediaTime >= 0);
  // Some programs write 0 as the rate of every part.
  const isHeld = (edit: Edit): boolean => edit.rate === 0 && shown.some(({ rate }) => rate !== 0);
  const parts: TimelinePart[] = [];
  const add = (part: TimelinePart): void => {
    const before = parts.at(-1);
    if (part.lengthS <= 0) return;
    if (before !== undefined && isContinued(before, part)) {
      parts[parts.length - 1] = { ...before, lengthS: before.lengthS + part.lengthS };
    } else parts.push(part);
  };
  for (const edit of edits) {
    const lengthS = edit.duration / scale.movie;
    if (edit.mediaTime < 0) {
      add({ lengthS, mediaS: null, rate: 1 });
      continue;
    }
    const mediaS = edit.mediaTime / scale.track;
    const isPlausible = edit.rate >= minRate && edit.rate <= maxRate;
    const rate = isHeld(edit) ? 0 : isPlausible ? edit.rate : 1;
    const restS = Math.max(0, media.endS - mediaS);
    // Without a length, the last part continues to the end (fragmented files).
    const wantedS = edit.duration === 0 && edit === shown.at(-1) ? Infinity : lengthS;
    const playableS = rate > 0 ? restS / rate : restS > 0 ? lengthS : 0;
    const playsS = wantedS - playableS <= roundingS ? wantedS : playableS;
    add({ lengthS: playsS, mediaS, rate });
    if (Number.isFinite(wantedS)) add({ lengthS: wantedS - playsS, mediaS: null, rate: 1 });
  }
  // Nothing at the end isn't part of the video.
  return parts.slice(0, parts.findLastIndex(({ mediaS }) => mediaS !== null) + 1);
}

function isContinued(before: TimelinePart, part: TimelinePart): boolean {
  if (before.mediaS === null || part.mediaS === null) return before.mediaS === part.mediaS;
  const endS = before.mediaS + before.lengthS * before.rate;
  return before.rate === part.rate && part.rate > 0 && Math.abs(endS - part.mediaS) <= roundingS;
}

/** Returns the end of a timeline. */
export const timelineEndS = (timeline: Timeline): number =>
  timeline.reduce((sum, { lengthS }) => sum + lengthS, 0);

/** Returns how long nothing plays at the start. */
export function leadOf(timeline: Timeline): number {
  const first = timeline.findIndex(({ mediaS }) => mediaS !== null);
  return timelineEndS(timeline.slice(0, Math.max(first, 0)));
}

/**
 * Returns a part of a timeline. Joining several such parts gives the timeline of a video of which
 * only these are kept.
 */
export function cutTimeline(timeline: Timeline, { startS, endS }: Span): Timeline {
  const kept: TimelinePart[] = [];
  let atS = 0;
  for (const { lengthS, mediaS, rate } of timeline) {
    const fromS = Math.max(startS, atS);
    const untilS = Math.min(endS, atS + lengthS);
    if (untilS > fromS) {
      const skippedS = (fromS - atS) * rate;
      kept.push({
        lengthS: untilS - fromS,
        mediaS: mediaS === null ? null : mediaS + skippedS,
        rate,
      });
    }
    atS += lengthS;
  }
  return kept;
}

/** Returns when a stretch of a track's media plays. It can play more than once or not at all. */
export function playTimes(timeline: Timeline, { startS, endS }: Span): Span[] {
  const times: Span[] = [];
  let atS = 0;
  for (const { lengthS, mediaS, rate } of timeline) {
    if (mediaS !== null) {
      const isShown = startS < mediaS + lengthS * rate && endS > mediaS;
      if (rate === 0 && startS <= mediaS && endS > mediaS) {
        times.push({ startS: atS, endS: atS + lengthS });
      } else if (rate > 0 && isShown) {
        times.push({
          startS: atS + Math.max(0, (startS - mediaS) / rate),
          endS: atS + Math.min(lengthS, (endS - mediaS) / rate),
        });
      }
    }
    atS += lengthS;
  }
  return times;
}

/** Maximum length of the sound that encoders add at the start and end. */
const maxPaddingS = 0.12;

/**
 * Returns whether a timeline differs from playing the whole media, apart from a delay and the
 * padding of sound.
 * @param frameS length of a frame; null for sound.
 */
export function isEdited(timeline: Timeline, media: Span, frameS: number | null): boolean {
  const shown = timeline.filter(({ mediaS }) => mediaS !== null);
  const [part] = shown;
  if (part === undefined || shown.length > 1 || part.rate !== 1) return true;
  const slackS = frameS === null ? maxPaddingS : Math.max(roundingS, frameS / 2);
  const startS = part.mediaS ?? 0;
  return startS - media.startS > slackS || media.endS - startS - part.lengthS > slackS;
}

/** Returns how many seconds of media a timeline never plays. */
export function hiddenS(timeline: Timeline, media: Span): number {
  const spans = timeline
    .filter((part) => part.mediaS !== null)
    .map(({ mediaS, lengthS, rate }) => ({
      startS: mediaS ?? 0,
      endS: (mediaS ?? 0) + lengthS * rate,
    }))
    .toSorted((a, b) => a.startS - b.startS);
  let reachedS = media.startS;
  let sumS = 0;
  for (const { startS, endS } of [...spans, { startS: media.endS, endS: media.endS }]) {
    sumS += Math.max(0, startS - reachedS);
    reachedS = Math.max(reachedS, endS);
  }
  return sumS;
}

/** Part of a timeline with its place. */
export interface PlacedPart extends Pick<TimelinePart, "rate"> {
  mediaS: number;
  mediaEndS: number;
  startS: number;
  /** Time until which it plays. Nothing plays from then to `endS`. */
  playsUntilS: number;
  endS: number;
}

/** Parts that one pass over the media reads, because they are in its order. */
export type Read = [PlacedPart, ...PlacedPart[]];

/** Returns the seconds of media between the first and the last moment that plays. */
export function mediaSpanS(timeline: Timeline): number {
  const played = timeline.filter(({ mediaS }) => mediaS !== null);
  const startS = Math.min(...played.map(({ mediaS }) => mediaS ?? 0));
  const endS = Math.max(
    ...played.map(({ mediaS, lengthS, rate }) => (mediaS ?? 0) + (rate === 0 ? 0 : lengthS * rate)),
  );
  return Math.max(0, endS - startS);
}

/** Maximum number of passes. Each opens a decoder. */
const maxReads = 24;
/** Maximum number of parts. Each adds filters. */
const maxParts = 300;
/** If media between two parts is longer than this, seeking costs less than decoding it. */
const maxGapS = 20;

/**
 * Divides a timeline into passes over its media.
 * @returns null if there would be too many.
 */
export function planReads(timeline: Timeline): Read[] | null {
  const parts: PlacedPart[] = [];
  let atS = 0;
  for (const { lengthS, mediaS, rate } of timeline) {
    const endS = atS + lengthS;
    const before = parts.at(-1);
    if (mediaS !== null) {
      const mediaEndS = mediaS + lengthS * rate;
      parts.push({ rate, mediaS, mediaEndS, startS: atS, playsUntilS: endS, endS });
    } else if (before !== undefined) before.endS = endS;
    atS = endS;
  }
  if (parts.length > maxParts) return null;
  const seeking = joinParts(parts, maxGapS);
  const reads = seeking.length > maxReads ? joinParts(parts, Infinity) : seeking;
  return reads.length > maxReads ? null : reads;
}

function joinParts(parts: readonly PlacedPart[], gapS: number): Read[] {
  const reads: Read[] = [];
  for (const part of parts) {
    const read = reads.at(-1);
    const reachedS = read?.at(-1)?.mediaEndS ?? Infinity;
    const isNext = part.mediaS >= reachedS && part.mediaS - reachedS <= gapS;
    if (read !== undefined && isNext) read.push(part);
    else reads.push([part]);
  }
  return reads;
}

/** How far before its end the last frame of a part is looked for. */
const insideS = 0.001;

/**
 * Returns a timeline of pictures in which a frame is held wherever nothing plays, also after the
 * end. Any part of it shows something.
 */
export function holdFrames(timeline: Timeline): Timeline {
  let heldS = timeline.find(({ mediaS }) => mediaS !== null)?.mediaS ?? 0;
  const held = timeline.map((part): TimelinePart => {
    if (part.mediaS === null) return { ...part, mediaS: heldS, rate: 0 };
    heldS = Math.max(part.mediaS, part.mediaS + part.lengthS * part.rate - insideS);
    return part;
  });
  return [...held, { lengthS: Infinity, mediaS: heldS, rate: 0 }];
}
