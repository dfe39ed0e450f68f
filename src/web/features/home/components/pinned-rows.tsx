import { labelOfPath } from "#contract/lists/label-address.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import { limits } from "#contract/limits.ts";
import type { PageApi } from "#contract/site/page-api.ts";
import type { ListedVideo } from "#contract/videos/videos.ts";
import { SaveButton, VideoCard } from "#web/components/video/video-card.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { toCardVideo, type CardVideo } from "#web/lib/lists/card-video.ts";

const messages = inLanguage("series");

/** Number of thumbnails of the first row that are on the first screen. */
const eagerCards = 4;

/** Row of a pinned label. */
export interface PinnedRow {
  href: string;
  name: string;
  videos: CardVideo[];
}

const filterOf = (kind: LabelKind, slug: string) =>
  kind === "categories" ? { category: slug } : kind === "tags" ? { tag: slug } : { actor: slug };

function nameOf(video: ListedVideo, kind: LabelKind, slug: string): string | undefined {
  if (kind === "categories") {
    return video.categories.find(({ category }) => category.slug === slug)?.category.name;
  }
  if (kind === "actors") return video.actors.find(({ actor }) => actor.slug === slug)?.actor.name;
  const name = video.tags.find(({ tag }) => tag.slug === slug)?.tag.name;
  return name && `#${name}`;
}

async function loadRow(api: PageApi, path: string): Promise<PinnedRow[]> {
  const label = labelOfPath(path);
  if (label === null) return [];
  const { kind, slug } = label;
  const { videos } = await api.listVideos({
    ...filterOf(kind, slug),
    sort: "part",
    published: true,
    limit: limits.publicPageSize,
  });
  const [first] = videos;
  const name = first && nameOf(first, kind, slug);
  if (name === undefined) return [];
  const href = `/${kind}/${encodeURIComponent(slug)}`;
  return [{ href, name, videos: videos.map((video) => ({ ...toCardVideo(video), why: null })) }];
}

/** Loads the rows. Leaves out those that fail or are empty. */
export async function loadRows(api: PageApi, paths: readonly string[]): Promise<PinnedRow[]> {
  const rows = await Promise.allSettled(paths.map((path) => loadRow(api, path)));
  return rows.flatMap((row) => (row.status === "fulfilled" ? row.value : []));
}

/** Rows of the labels that the operator pinned: the newest videos, or a series from its start. */
export function PinnedRows({ rows }: { rows: readonly PinnedRow[] }) {
  return rows.map(({ href, name, videos }, at) => (
    <section key={href} aria-label={name} className="mb-6">
      <div className="flex h-11 items-center justify-between gap-4">
        {/* In the direction of the name, so that its end is cut and not its start. */}
        <h2 dir="auto" className="min-w-0 truncate text-base font-semibold">
          {name}
        </h2>
        <a
          href={pagePath(href)}
          aria-label={messages.seeAll(name)}
          className="inline-flex min-h-11 shrink-0 items-center text-sm underline"
        >
          {messages.all}
        </a>
      </div>
      <ul className="-m-1 no-scrollbar flex snap-x scroll-px-1 gap-4 overflow-x-auto p-1">
        {videos.map((video, index) => (
          <li key={video.slug} className="relative w-44 shrink-0 snap-start sm:w-60">
            <VideoCard video={video} isEager={at === 0 && index < eagerCards} />
            <SaveButton video={video} />
          </li>
        ))}
      </ul>
    </section>
  ));
}
