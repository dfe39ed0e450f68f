import { ChevronDownIcon } from "lucide-react";
import type { ReactElement } from "react";
import { isTranscript } from "#contract/videos/transcript-tracks.ts";
import type { Transcript } from "#contract/videos/transcript.ts";
import type { Video } from "#contract/videos/videos.ts";
import { inLanguage, pageLanguage } from "#web/lib/language/page-language.ts";

import { TranscriptPanel, type TranscriptPlayer } from "./transcript-panel.tsx";
import { fetchTranscript } from "./transcript-store.ts";
import "./transcript.css";

const messages = inLanguage("transcript");

const findMedia = () => document.querySelector<HTMLVideoElement>(".video-page-player video");

const pagePlayer: TranscriptPlayer = {
  findMedia,
  seekTo(positionS) {
    const media = findMedia();
    if (media === null) return;
    media.currentTime = positionS;
    media.play().catch(() => undefined);
  },
};

/**
 * Section of a video page, which the server renders too. A list of links, folded on phones.
 * @param first first part of the text.
 */
export function TranscriptSection({
  video,
  first,
  isOpen = false,
  focused = null,
}: {
  video: Pick<Video, "slug">;
  first: Transcript;
  isOpen?: boolean;
  focused?: string | null;
}) {
  return (
    <section aria-label={messages.title} className="transcript">
      <details open={isOpen}>
        <summary>
          {messages.title}
          <ChevronDownIcon className="size-5" />
        </summary>
      </details>
      <h2>{messages.title}</h2>
      <div className="transcript-content">
        <TranscriptPanel slug={video.slug} first={first} player={pagePlayer} focused={focused} />
      </div>
    </section>
  );
}

/** Loads the section that replaces the HTML of the server. Null if the video has no transcript. */
export async function loadSection(video: Video): Promise<ReactElement | null> {
  if (video.captions?.some(isTranscript) !== true) return null;
  const first = await fetchTranscript(video.slug, { language: pageLanguage().code });
  // What the visitor did in the HTML of the server goes on.
  const section = document.querySelector(".transcript");
  const focused = section?.querySelector(":scope a:focus")?.getAttribute("href");
  return (
    <TranscriptSection
      video={video}
      first={first}
      isOpen={section?.querySelector("details")?.open === true}
      focused={focused ?? null}
    />
  );
}
