import {
  transcriptLimits,
  type Transcript,
  type TranscriptParagraph,
  type TranscriptQuery,
} from "#contract/videos/transcript.ts";
import { chooseTranscript, isTranscript } from "#contract/videos/transcript-tracks.ts";
import type { Video } from "#contract/videos/videos.ts";
import { AppError } from "#server/lib/app-error.ts";
import { toParagraphs } from "#server/lib/captions/transcript.ts";
import { mediaUrl, publicVideoPrefix } from "#server/storage/media-keys.ts";
import type { CaptionFiles } from "./caption-files.ts";

/** Bytes of a caption file with enough lines for the first part of a page. */
const startBytes = 64 * 1024;
/** Numbers of transcripts and of their starts that stay in memory. */
const maxWhole = 4;
const maxStarts = 200;

/** Remembers the results of the latest `max` keys. A failure isn't remembered. */
function remember<Value>(max: number, make: (key: string) => Promise<Value>) {
  const values = new Map<string, Promise<Value>>();
  return async (key: string): Promise<Value> => {
    const value = values.get(key) ?? make(key);
    values.delete(key);
    values.set(key, value);
    const [oldest] = values.keys();
    if (values.size > max && oldest !== undefined) values.delete(oldest);
    try {
      return await value;
    } catch (error) {
      if (values.get(key) === value) values.delete(key);
      throw error;
    }
  };
}

/** Returns the paragraphs of one response. At least one, so that the next part always advances. */
function cutPart(paragraphs: readonly TranscriptParagraph[], from: number): TranscriptParagraph[] {
  let [lines, characters] = [0, 0];
  const end = paragraphs.findIndex((paragraph, at) => {
    if (at < from) return false;
    lines += paragraph.lines.length;
    for (const { text } of paragraph.lines) characters += text.length;
    const { pageLines, pageCharacters } = transcriptLimits;
    return at > from && (lines > pageLines || characters > pageCharacters);
  });
  return paragraphs.slice(from, end === -1 ? undefined : end);
}

/**
 * Reads captions as texts. Takes a video as the visitor sees it: a track that its response leaves
 * out has no transcript. The address of a track changes with its content, so it identifies texts in
 * memory.
 */
export function createTranscriptsService({ files }: { files: CaptionFiles }) {
  const keyOf = (url: string): string => url.slice(mediaUrl("").length);
  const readWhole = remember(maxWhole, async (url) =>
    toParagraphs(await files.read({ key: keyOf(url) })),
  );
  const readStart = remember(maxStarts, async (url) => {
    const { lines, isWhole } = await files.readStart({ key: keyOf(url) }, startBytes);
    const paragraphs = toParagraphs(lines);
    // The last paragraph may go on.
    if (!isWhole && paragraphs.length > 1) paragraphs.pop();
    return { paragraphs: cutPart(paragraphs, 0), isWhole };
  });

  function find(video: Video, query: Partial<TranscriptQuery>) {
    const tracks = (video.captions ?? []).filter(
      (track) => isTranscript(track) && track.url.startsWith(mediaUrl(publicVideoPrefix)),
    );
    const { track: url, language = "" } = query;
    const track =
      url === undefined
        ? chooseTranscript(tracks, language)
        : tracks.find((each) => each.url === url);
    if (track === undefined) return null;
    return {
      track: track.url,
      language: track.language,
      tracks: tracks.map(({ url, language, name }) => ({ url, language, name })),
    };
  }

  return {
    /** @throws AppError not_found without such captions. */
    async get(video: Video, query: TranscriptQuery): Promise<Transcript> {
      const found = find(video, query);
      if (found === null) throw new AppError("not_found", "Transcript not found");
      const all = await readWhole(found.track);
      const paragraphs = cutPart(all, query.from);
      const end = query.from + paragraphs.length;
      return { ...found, paragraphs, next: end < all.length ? end : null };
    },

    /** Returns the start of the transcript in a language, or null without captions. */
    async findStart(video: Video, language: string): Promise<Transcript | null> {
      const found = find(video, { language });
      if (found === null) return null;
      const { paragraphs, isWhole } = await readStart(found.track);
      return { ...found, paragraphs, next: isWhole ? null : paragraphs.length };
    },
  };
}

export type TranscriptsService = ReturnType<typeof createTranscriptsService>;
