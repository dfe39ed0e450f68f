import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Video } from "#contract/videos/videos.ts";

/**
 * Transcript of a video page. The server renders its start as HTML text, which the page keeps until
 * it is in view. Then the script with the filter and the other parts is loaded.
 */
export function TranscriptPlace({ video, html }: { video: Video; html: string | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const [section, setSection] = useState<ReactNode>(null);
  const { current: latest } = useRef(video);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      import("./transcript-section.tsx")
        .then(({ loadSection }) => loadSection(latest))
        .then(setSection, console.warn);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [latest]);
  return (
    section ?? (
      <div ref={place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html ?? "" }} />
    )
  );
}
