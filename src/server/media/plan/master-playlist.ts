import { toFps, type Ratio } from "../facts/media-facts.ts";
import { readRanges, type Segment } from "./playlist-ranges.ts";
import type { SoundLabel } from "./sounds.ts";

/** Properties of one rendition, from its media playlist. */
export interface PlaylistFacts {
  durationS: number;
  /** Highest bit rate of a segment, in bits per second (RFC 8216, 4.3.4.2). */
  peakBps: number;
  averageBps: number;
}

/** Parses a playlist with byte ranges as written by ffmpeg for the ladder. */
export function readPlaylist(text: string): PlaylistFacts {
  const { segments } = readRanges(text);
  const durationS = segments.reduce((sum, segment) => sum + segment.durationS, 0);
  const bytes = segments.reduce((sum, segment) => sum + segment.length, 0);
  const averageBps = durationS > 0 ? (bytes * 8) / durationS : 0;
  return { durationS, peakBps: Math.max(findPeak(segments), averageBps), averageBps };
}

/**
 * Returns the highest bit rate of consecutive segments that together last 0.5 to 1.5 times the
 * target duration, so that a last segment of a few frames doesn't count separately (RFC 8216, 4.1).
 */
function findPeak(segments: readonly Segment[]): number {
  const targetS = Math.max(0, ...segments.map(({ durationS }) => durationS));
  let peakBps = 0;
  for (const from of segments.keys()) {
    let durationS = 0;
    let bytes = 0;
    for (const segment of segments.slice(from, from + 4)) {
      durationS += segment.durationS;
      bytes += segment.length;
      if (durationS > targetS * 1.5) break;
      if (durationS >= targetS * 0.5) peakBps = Math.max(peakBps, (bytes * 8) / durationS);
    }
  }
  return peakBps;
}

export interface VariantFacts extends PlaylistFacts {
  uri: string;
  width: number;
  height: number;
  fps: Ratio;
  /** Codec in the form of RFC 6381, "avc1.640028". */
  codec: string;
  /** HDR format; standard range by default. */
  videoRange?: "PQ" | "HLG";
}

export interface SoundFacts extends PlaylistFacts, SoundLabel {
  uri: string;
}

/**
 * Writes the multivariant playlist. Medium quality comes first, because players start with the
 * first variant. `BANDWIDTH` is the sum of the picture's peak and the highest audio peak.
 */
export function writeMasterPlaylist(variants: VariantFacts[], sounds: SoundFacts[]): string {
  const lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"];
  lines.push(...sounds.map((sound, at) => writeSound(sound, at === 0)));
  lines.push(...orderVariants(variants).flatMap((variant) => writeVariant(variant, sounds)));
  return `${lines.join("\n")}\n`;
}

/**
 * Adds larger renditions to a multivariant playlist that has these audio tracks. They come after
 * the variant that players start with.
 */
export function addVariants(
  master: string,
  variants: readonly VariantFacts[],
  sounds: readonly PlaylistFacts[],
): string {
  const lines = master.split("\n");
  const first = lines.findIndex((line) => line.startsWith("#EXT-X-STREAM-INF:"));
  if (first < 0) throw new Error("the master playlist names no rendition");
  lines.splice(first + 2, 0, ...variants.flatMap((variant) => writeVariant(variant, sounds)));
  return lines.join("\n");
}

/** Adds renditions after all others, because simple players start with the first one. */
export const appendVariants = (
  master: string,
  variants: readonly VariantFacts[],
  sounds: readonly PlaylistFacts[],
): string =>
  [master.trimEnd(), ...variants.flatMap((variant) => writeVariant(variant, sounds)), ""].join(
    "\n",
  );

/** Returns the addresses of the media playlists that a multivariant playlist lists. */
export const listVariantUris = (master: string): string[] =>
  [...master.matchAll(/^#EXT-X-STREAM-INF:.*\n([^#\s]\S*)$/gm)].map(([, uri]) => uri ?? "");

/** Returns the addresses of the audio playlists that a multivariant playlist lists. */
export const listSoundUris = (master: string): string[] =>
  [...master.matchAll(/^#EXT-X-MEDIA:TYPE=AUDIO,.*URI="([^"]+)"/gm)].map(([, uri]) => uri ?? "");

function writeVariant(variant: VariantFacts, sounds: readonly PlaylistFacts[]): string[] {
  const hasSound = sounds.length > 0;
  const most = (read: (sound: PlaylistFacts) => number) => Math.max(0, ...sounds.map(read));
  const attributes = [
    `BANDWIDTH=${Math.ceil(variant.peakBps + most(({ peakBps }) => peakBps))}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(variant.averageBps + most(({ averageBps }) => averageBps))}`,
    `CODECS="${hasSound ? `${variant.codec},mp4a.40.2` : variant.codec}"`,
    `RESOLUTION=${variant.width}x${variant.height}`,
    `FRAME-RATE=${toFps(variant.fps).toFixed(3)}`,
    ...(variant.videoRange === undefined ? [] : [`VIDEO-RANGE=${variant.videoRange}`]),
    ...(hasSound ? ['AUDIO="sound"'] : []),
  ];
  return [`#EXT-X-STREAM-INF:${attributes.join(",")}`, variant.uri];
}

/** Lets players automatically choose only a stereo track in the user's language. */
function writeSound(
  { name, language, kind, channels, uri }: SoundFacts,
  isDefault: boolean,
): string {
  const isChosen = isDefault || (channels === 2 && kind !== "commentary");
  const attributes = [
    ...["TYPE=AUDIO", 'GROUP-ID="sound"', `NAME=${quoteAttribute(name)}`],
    ...(language === "und" ? [] : [`LANGUAGE=${quoteAttribute(language)}`]),
    `DEFAULT=${isDefault ? "YES" : "NO"}`,
    `AUTOSELECT=${isChosen ? "YES" : "NO"}`,
    ...(kind === "description" ? ['CHARACTERISTICS="public.accessibility.describes-video"'] : []),
    ...[`CHANNELS="${channels}"`, `URI="${uri}"`],
  ];
  return `#EXT-X-MEDIA:${attributes.join(",")}`;
}

/** Quotes a string for a playlist. It must not contain quotes or line breaks (RFC 8216, 4.2). */
export const quoteAttribute = (text: string): string => `"${text.replaceAll(/["\r\n]/g, " ")}"`;

/** Puts 480 lines first if available, then the others from high to low. */
function orderVariants(variants: VariantFacts[]): VariantFacts[] {
  const first = variants.find((variant) => Math.min(variant.width, variant.height) <= 480);
  return first === undefined ? variants : [first, ...variants.filter((each) => each !== first)];
}

/**
 * Returns "avc1.PPCCLL" or "av01.P.LLT.DD", read from the decoder configuration record at the start
 * of an MP4.
 */
export const findCodec = (head: Buffer): string | null => findAvcCodec(head) ?? findAv1Codec(head);

function findAv1Codec(head: Buffer): string | null {
  const at = head.indexOf("av1C", 0, "latin1");
  if (at < 0 || at + 8 > head.length) return null;
  const [, sequence = 0, form = 0] = head.subarray(at + 4, at + 8);
  const level = String(sequence & 0x1f).padStart(2, "0");
  const tier = (form & 0x80) === 0 ? "M" : "H";
  const depth = (form & 0x40) === 0 ? "08" : (form & 0x20) === 0 ? "10" : "12";
  return `av01.${sequence >> 5}.${level}${tier}.${depth}`;
}

function findAvcCodec(head: Buffer): string | null {
  const at = head.indexOf("avcC", 0, "latin1");
  if (at < 0 || at + 8 > head.length) return null;
  return `avc1.${head.subarray(at + 5, at + 8).toString("hex")}`;
}
