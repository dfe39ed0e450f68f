import { captionLimits } from "#contract/videos/captions.ts";
import { hiddenPartsNotice } from "#contract/videos/hidden-parts.ts";
import { supportedAudioCodecs, textCodecs } from "../facts/input-guards.ts";
import { listMoving, maxSounds } from "./choose-streams.ts";
import type { ProbedInfo, ProbedStream } from "./ffprobe-output.ts";
import { dolbyVisionMatrix, type AudioFacts, type VideoFacts } from "../facts/media-facts.ts";

/** Codecs of subtitles that consist of pictures, as ffprobe names them. */
const imageCodecs = new Set(["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle", "xsub"]);

export const severalVideosNotice =
  "The file contains several videos in sequence. Only the first one is used.";

/** Lists differences between a source and its playable files, for the admin. */
export function listNotices(
  info: ProbedInfo,
  kept: {
    videoStream: ProbedStream;
    hasEncryptedAudio: boolean;
    hasSecondMovie: boolean;
    video: VideoFacts;
    /** Number of retained audio tracks. */
    soundCount: number;
    /** Track that would have played if it could be decoded. Set if no track can be. */
    lostSound: ProbedStream | null;
    audio: AudioFacts | null;
    /** Null unless the file ends before its declared end. */
    cut: { declaredS: number; measuredS: number } | null;
    /** Seconds that an edit list hides. */
    hiddenS: number;
  },
): string[] {
  const videos = listMoving(info).length;
  const notices: string[] = [];
  if (kept.cut !== null) {
    const { declaredS, measuredS } = kept.cut;
    notices.push(
      declaredS > measuredS && seconds(declaredS) !== seconds(measuredS)
        ? `The file is incomplete: only ${seconds(measuredS)} of ${seconds(declaredS)} could be read.`
        : "The file is incomplete: its end is missing.",
    );
  }
  if (kept.hiddenS > 0) {
    const length = kept.hiddenS < 0.1 ? "less than 0.1 s" : seconds(kept.hiddenS);
    notices.push(hiddenPartsNotice(length));
  }
  if (kept.hasSecondMovie) {
    notices.push(severalVideosNotice);
  }
  if (videos > 1)
    notices.push(`The file has ${videos} video tracks. Only the default one is used.`);
  notices.push(...listSoundNotices(info, kept));
  const texts = info.streams.filter(isTextTrack).length;
  const { maxTracks } = captionLimits;
  if (texts > maxTracks) {
    notices.push(`The file has ${texts} subtitle tracks. At most ${maxTracks} are used.`);
  }
  const subtitles = info.streams
    .filter(hasCodecType("subtitle"))
    .map((stream) => stream.codec_name ?? "")
    .filter((codec) => !textCodecs.has(codec));
  const images = subtitles.filter((codec) => imageCodecs.has(codec)).length;
  if (images > 0) {
    notices.push(
      images === 1
        ? "A subtitle track contains images instead of text and isn't shown."
        : `${images} subtitle tracks contain images instead of text and aren't shown.`,
    );
  }
  const unreadable = subtitles.length - images;
  if (unreadable > 0) {
    notices.push(
      unreadable === 1
        ? "A subtitle track has a format that can't be read and isn't shown."
        : `${unreadable} subtitle tracks have formats that can't be read and aren't shown.`,
    );
  }
  if (kept.video.colorMatrix === dolbyVisionMatrix) {
    notices.push(
      "This is a Dolby Vision video for Dolby Vision screens only (profile 5). Its colors are converted approximately and can differ from the original.",
    );
  } else if (kept.video.isHdr) {
    // The HDR renditions may be made much later.
    notices.push(
      "This is an HDR video. Renditions other than HDR are converted to standard dynamic range.",
    );
  }
  if (kept.video.isInterlaced) {
    notices.push("The picture is interlaced. Renditions are deinterlaced.");
  }
  if (kept.video.displayMatrix === "ignored") {
    notices.push(
      "The file asks for a rotation that isn't a multiple of 90 degrees. The picture isn't rotated.",
    );
  }
  const hasAlpha =
    kept.videoStream.tags["alpha_mode"] === "1" ||
    /^(yuva|rgba|argb|bgra|abgr|gbrap|ya)/.test(kept.video.pixelFormat);
  if (hasAlpha) notices.push("Transparent parts of the picture are shown as opaque.");
  return notices;
}

function listSoundNotices(
  info: ProbedInfo,
  kept: {
    hasEncryptedAudio: boolean;
    audio: AudioFacts | null;
    soundCount: number;
    lostSound: ProbedStream | null;
  },
): string[] {
  const tracks = info.streams.filter(hasCodecType("audio"));
  if (tracks.length === 0) return [];
  if (kept.audio === null) {
    const codec = kept.lostSound?.codec_name ?? tracks[0]?.codec_name;
    const isUnsupported = codec !== undefined && !supportedAudioCodecs.has(codec);
    const why = kept.hasEncryptedAudio
      ? "is encrypted"
      : isUnsupported
        ? "has an unsupported format"
        : "can't be decoded";
    return [`The audio (${codec ?? "unknown format"}) ${why}. The video plays without sound.`];
  }
  const notices: string[] = [];
  const lost = tracks.length - kept.soundCount;
  if (kept.soundCount === maxSounds && lost > 0) {
    notices.push(`The file has ${tracks.length} audio tracks. At most ${maxSounds} are used.`);
  } else if (lost > 0) {
    notices.push(
      lost === 1
        ? "One audio track can't be used and was left out."
        : `${lost} audio tracks can't be used and were left out.`,
    );
  }
  const { channels, isMixable } = kept.audio;
  if (channels > 6 && isMixable) {
    notices.push(`The audio has ${channels} channels. It plays in stereo or 5.1.`);
  } else if (channels > 2 && (channels < 6 || !isMixable)) {
    notices.push(`The audio has ${channels} channels. It plays in stereo.`);
  }
  return notices;
}

export const isTextTrack = ({ codec_type: type, codec_name: codec }: ProbedStream): boolean =>
  type === "subtitle" && textCodecs.has(codec ?? "");

const hasCodecType =
  (type: string) =>
  (stream: ProbedStream): boolean =>
    stream.codec_type === type;

const seconds = (durationS: number): string => `${Math.round(durationS * 10) / 10} s`;
