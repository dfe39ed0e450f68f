import { data, useLoaderData, useRevalidator, type LoaderFunction } from "react-router";
import type { LabelKind, LabelItem } from "#contract/lists/labels.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { EmptyState, ErrorState } from "#web/components/ui/states.tsx";
import { pageHandle, pageApiContext, statusOf, type PageModule } from "#web/lib/page/page-route.ts";
import { shareMeta, siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage, pageLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { hasListings } from "./has-listings.ts";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { counted, formatCount } from "#web/lib/format/format.ts";
import { shorten } from "#contract/text.ts";

const formatTexts = inLanguage("format");
const browseMessages = inLanguage("browse");
const browseTexts = inLanguage("browseParts");

/** Fields of a listed item. Descriptions can be long and are left out if they aren't shown. */
interface ListedItem {
  name: string;
  slug: string;
  description: string | null;
  /** Image of the item, or a cover taken from a video. */
  picture: string | null;
  videoCount: number;
}

function toListed(item: LabelItem): ListedItem {
  const { name, slug, imageUrl, coverUrl, videoCount } = item;
  const picture = imageUrl ?? coverUrl;
  const description = item.description === null ? null : shorten(item.description, 160);
  return { name, slug, description, picture, videoCount };
}

interface ListProps {
  kind: LabelKind;
  items: readonly ListedItem[];
}

function hrefOf(kind: LabelKind, slug: string): string {
  return `/${kind}/${encodeURIComponent(slug)}`;
}

/** Returns the initials of the first and the last name. */
function getInitials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
}

/** Columns keep tags in place when the web font loads. Wrapped lines would shift. */
function TagIndex({ kind, items }: ListProps) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-2">
      {items.map((item) => (
        <li key={item.slug} className="min-w-0">
          <ChipLink
            href={hrefOf(kind, item.slug)}
            title={item.name}
            className="w-full justify-between whitespace-normal!"
          >
            <bdi className="title-lines leading-4.5">#{item.name}</bdi>
            <span className="tabular text-ink-11">
              <span aria-hidden="true">{formatCount(item.videoCount)}</span>
              <span className="sr-only">{counted(item.videoCount, formatTexts.videos)}</span>
            </span>
          </ChipLink>
        </li>
      ))}
    </ul>
  );
}

function CategoryTiles({ kind, items }: ListProps) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3 xl:grid-cols-4">
      {items.map((item) => (
        <li key={item.slug} className="min-w-0">
          <a
            href={pagePath(hrefOf(kind, item.slug))}
            className="group flex h-full items-stretch overflow-hidden rounded-lg bg-ink-2 transition-colors duration-fast hover:bg-ink-3 sm:flex-col"
          >
            <span className="relative block min-h-20.25 w-36 shrink-0 bg-ink-3 sm:aspect-video sm:w-full">
              <Thumbnail src={item.picture} />
            </span>
            <span className="flex min-w-0 flex-1 flex-col justify-between gap-1 p-4">
              <span>
                <bdi className="title-lines text-base font-semibold group-hover:text-lamp-text">
                  {item.name}
                </bdi>
                {item.description === null ? null : (
                  <bdi className="title-lines mt-1 text-sm text-ink-11">{item.description}</bdi>
                )}
              </span>
              <span className="tabular text-sm text-ink-11">
                {counted(item.videoCount, formatTexts.videos)}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function ActorFaces({ kind, items }: ListProps) {
  return (
    <ul className="grid grid-cols-2 gap-x-3 gap-y-8 sm:grid-cols-3 md:grid-cols-4 lg:grid-cols-6">
      {items.map((item) => (
        <li key={item.slug} className="min-w-0">
          <a
            href={pagePath(hrefOf(kind, item.slug))}
            className="group flex flex-col items-center rounded-md text-center"
          >
            <span className="flex size-24 items-center justify-center overflow-hidden rounded-full bg-ink-3 text-lg font-semibold text-ink-11 transition-colors duration-fast group-hover:bg-ink-4 group-hover:text-lamp-text md:size-28">
              {item.picture === null ? (
                <span aria-hidden="true">{getInitials(item.name)}</span>
              ) : (
                <img
                  src={item.picture}
                  alt=""
                  width={112}
                  height={112}
                  loading="lazy"
                  className="size-full object-cover"
                />
              )}
            </span>
            <bdi className="title-lines mt-3 text-sm font-medium group-hover:text-lamp-text">
              {item.name}
            </bdi>
            <span className="tabular mt-0.5 text-xs text-ink-11">
              {counted(item.videoCount, formatTexts.videos)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const lists = { tags: TagIndex, categories: CategoryTiles, actors: ActorFaces } as const;

/** Shows categories as cards, actors with initials, and tags in columns. */
function LabelList(props: ListProps) {
  const List = lists[props.kind];
  return <List {...props} />;
}

/** Null if loading failed. */
interface IndexData {
  items: ListedItem[] | "unwanted" | null;
}

/** Creates the page at /categories, /tags or /actors. */
export function indexPage(kind: LabelKind): PageModule {
  const messages = browseMessages[kind];

  const loader: LoaderFunction = async ({ context }) => {
    const api = context.get(pageApiContext);
    try {
      if (!(await hasListings(api))) return data<IndexData>({ items: "unwanted" });
      const items = (await api.listLabel(kind)).filter((item) => item.videoCount > 0);
      // Sorted here, so that the server and the browser agree.
      const { compare } = new Intl.Collator(pageLanguage().code, { numeric: true });
      const sorted = items.toSorted((a, b) => compare(a.name, b.name));
      return data<IndexData>({ items: sorted.map(toListed) });
    } catch (error) {
      console.error(`Listing ${kind} failed`, error);
      return data<IndexData>({ items: null }, { status: statusOf(error) ?? 503 });
    }
  };

  function Component() {
    const { items } = useLoaderData<IndexData>();
    const revalidator = useRevalidator();
    return (
      <>
        <PageHeading title={messages.title} intro={messages.intro} />
        {items === "unwanted" ? null : items === null ? (
          <ErrorState
            message={browseTexts.failed}
            retryLabel={browseTexts.tryAgain}
            onRetry={() => void revalidator.revalidate()}
            isBusy={revalidator.state === "loading"}
          />
        ) : items.length === 0 ? (
          <EmptyState title={messages.empty} />
        ) : (
          <LabelList kind={kind} items={items} />
        )}
      </>
    );
  }

  const handle = pageHandle<IndexData>({
    query: [],
    allowsTrustedAds: true,
    head: ({ site }) => {
      const title = siteTitle(messages.title, site);
      const canonical = `${site.url}/${kind}`;
      return {
        title,
        description: messages.intro,
        canonical,
        meta: shareMeta(site, {
          title,
          description: messages.intro,
          url: canonical,
          type: "website",
        }),
      };
    },
  });

  return { Component, loader, handle };
}
