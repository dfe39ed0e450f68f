import type { Video } from "#contract/videos/videos.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { Section } from "../../shared/section.tsx";

/** Lists the chapters that the seek bar shows. */
export function VideoChapters({ video }: { video: Video }) {
  const { chapters = [], slug } = video;
  return (
    <Section
      title="Chapters"
      hint="To add chapters, start lines in the description with a time, such as 1:30 The harbour. The first must be 0:00. Otherwise, chapters in the file are used."
    >
      {chapters.length === 0 ? (
        <p className="text-ink-11">This video has no chapters.</p>
      ) : (
        <ol className="grid">
          {chapters.map(({ startS, title }) => (
            <li key={startS}>
              <a
                href={`/video/${slug}?t=${Math.floor(startS)}`}
                className="flex min-h-9 items-center gap-3 hover:underline"
              >
                <span className="tabular w-14 shrink-0 text-ink-11">{formatDuration(startS)}</span>
                <bdi className="min-w-0 break-words">{title}</bdi>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
