import { useQuery } from "@tanstack/react-query";
import { labelKinds } from "#contract/lists/labels.ts";
import type { Loudness, Video } from "#contract/videos/videos.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { originQuery } from "../calls.ts";
import { VisibilityBadge } from "../visibility-dialog.tsx";
import { ProcessingNote, MediaNotices } from "../processing-note.tsx";
import { momentWords } from "../../shared/moments.ts";

const momentOf = (iso: string | null | undefined) => (iso == null ? null : momentWords(iso));

const wordsOf = ({ integratedLufs, truePeakDb, rangeLu }: Loudness) =>
  `${integratedLufs} LUFS, peak ${truePeakDb} dBTP, range ${rangeLu} LU`;

/** Returns the label names of a video by kind, with links to other videos with the label. */
function labelsOf(video: Video) {
  const labels = {
    categories: video.categories.map(({ category }) => category),
    tags: video.tags.map(({ tag }) => tag),
    actors: video.actors.map(({ actor }) => actor),
  };
  const filters = { categories: "category", tags: "tag", actors: "actor" };
  return labelKinds.map((kind) => ({
    kind,
    labels: labels[kind].map(({ name, slug }) => ({
      name,
      href: `/admin/videos?${filters[kind]}=${encodeURIComponent(slug)}`,
    })),
  }));
}

/** State, numbers and labels of a video. */
export function VideoFacts({ video, onRetry }: { video: Video; onRetry: (() => void) | null }) {
  const { data: imported } = useQuery(originQuery(video.id));
  const { width, height } = video;
  const picture = width == null || height == null ? null : `${width} × ${height}`;
  const facts: [string, string | null][] = [
    ["Views", video.views.toLocaleString()],
    ["Likes", video.likes.toLocaleString()],
    ["Duration", formatDuration(video.duration)],
    ["Resolution", picture],
    ["Audio tracks", video.sounds?.map(({ name }) => name).join(", ") ?? null],
    ["Loudness", video.loudness == null ? null : wordsOf(video.loudness)],
    ["Total size", video.sizeBytes == null ? null : formatFileSize(video.sizeBytes)],
    ["Uploaded", momentOf(video.createdAt)],
    ["Published", momentOf(video.publishedAt)],
    ["Scheduled for", momentOf(video.publishAt)],
  ];
  return (
    <section aria-labelledby="facts" className="grid gap-4 rounded-lg bg-ink-2 p-4">
      <h2 id="facts" className="font-semibold">
        Facts
      </h2>
      <div className="flex flex-wrap gap-1.5">
        <Badge tone={video.isPublished ? "done" : "neutral"}>
          {video.isPublished ? "Published" : "Draft"}
        </Badge>
        <VisibilityBadge video={video} />
        {video.isPremium ? <Badge tone="lamp">Premium</Badge> : null}
      </div>
      <div>
        <ProcessingNote video={video} onRetry={onRetry} />
        <MediaNotices video={video} className="mt-1" />
      </div>
      <dl className="tabular grid gap-1.5">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-ink-11">{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {imported?.origin == null ? null : (
        <div>
          <h3 className="text-ink-11">Imported from</h3>
          <p dir="auto" className="wrap-anywhere">
            {`${imported.origin.source}: ${imported.origin.sourceId}`}
          </p>
        </div>
      )}
      {labelsOf(video).map(({ kind, labels }) =>
        labels.length === 0 ? null : (
          <div key={kind}>
            <h3 className="mb-1.5 text-ink-11 capitalize">{kind}</h3>
            <ul className="flex flex-wrap gap-1.5">
              {labels.map(({ name, href }) => (
                <li key={href} className="min-w-0">
                  <a
                    href={href}
                    className="flex min-h-small items-center rounded-full bg-ink-4 px-3 wrap-anywhere hover:bg-ink-5"
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  );
}
