import { renderToStaticMarkup } from "react-dom/server";
import { shorten } from "#contract/text.ts";
import { transcriptLimits, type Transcript } from "#contract/videos/transcript.ts";
import type { Video } from "#contract/videos/videos.ts";
import { TranscriptSection } from "./transcript-section.tsx";

/** Parts of a video page, only on the server. */
export interface RenderedTranscript {
  html: string;
  /** Start of the text, for search engines. */
  text: string;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;
/** Bytes in the page that aren't the text of a line: its link, and the characters that JSON escapes. */
const bytesPerLine = 60;

/** Renders as much of a transcript as fits into the page. */
export function renderTranscript(video: Video, start: Transcript): RenderedTranscript {
  const render = (paragraphs: Transcript["paragraphs"]) => {
    const isCut = start.next !== null || paragraphs.length < start.paragraphs.length;
    const next = isCut ? paragraphs.length : null;
    return renderToStaticMarkup(
      <TranscriptSection video={video} first={{ ...start, paragraphs, next }} />,
    );
  };
  const lines = start.paragraphs.flatMap((paragraph) => paragraph.lines);
  const text = shorten(
    lines
      .map((line) => line.text)
      .join(" ")
      .slice(0, transcriptLimits.structuredDataMax * 2),
    transcriptLimits.structuredDataMax,
  );
  let roomBytes = transcriptLimits.pageBytes - bytesOf(JSON.stringify(text)) - bytesOf(render([]));
  const end = start.paragraphs.findIndex(({ lines }) => {
    for (const line of lines) roomBytes -= bytesOf(JSON.stringify(line.text)) + bytesPerLine;
    return roomBytes < 0;
  });
  return { text, html: render(end === -1 ? start.paragraphs : start.paragraphs.slice(0, end)) };
}
