import { SkipBackIcon, SkipForwardIcon } from "lucide-react";
import type { ReactNode } from "react";
import { redirect, useLocation } from "react-router";
import { labelKinds } from "#contract/lists/labels.ts";
import { seriesKey } from "#contract/lists/label-address.ts";
import type { SeriesPlace } from "#contract/lists/series.ts";
import type { PageApi } from "#contract/site/page-api.ts";
import type { Video } from "#contract/videos/videos.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { partHref } from "#web/lib/lists/part-href.ts";
import { inLanguage, pagePath, plainPath } from "#web/lib/language/page-language.ts";
import { withParts } from "#web/lib/language/with-parts.tsx";

const messages = inLanguage("series");

type Part = NonNullable<SeriesPlace["next"]>;

const hrefOf = (place: SeriesPlace, { slug }: Part) => partHref(slug, seriesKey(place));

/** Returns the series that leads: the one in the URL, otherwise the first one. */
function leadingPlace(video: Video, search: string): SeriesPlace | null {
  const wanted = new URLSearchParams(search).get("in");
  const places = video.series ?? [];
  return places.find((place) => seriesKey(place) === wanted) ?? places[0] ?? null;
}

/** Returns the next part as the video that plays next. */
export function nextPart(video: Video, search: string) {
  const place = leadingPlace(video, search);
  const next = place?.next ?? null;
  return place === null || next === null ? null : { ...next, href: hrefOf(place, next) };
}

function Step(props: {
  place: SeriesPlace;
  to: Part | null;
  nameOf: (title: string) => string;
  children: ReactNode;
}) {
  if (props.to === null) return null;
  return (
    <a
      href={pagePath(hrefOf(props.place, props.to))}
      aria-label={props.nameOf(props.to.title)}
      title={props.to.title}
      className={buttonClass({ kind: "quiet", isSquare: true })}
    >
      {props.children}
    </a>
  );
}

/** Shows which part of a series a video is, with links to the parts before and after it. */
export function SeriesNav({ video, search }: { video: Video; search: string }) {
  const place = leadingPlace(video, search);
  if (place === null) return null;
  const { kind, slug, name, part, total, previous, next } = place;
  return (
    <nav aria-label={name} className="mt-3 flex items-center gap-2 text-sm text-ink-11">
      <p className="tabular min-w-0 flex-1">
        {withParts(messages.part(String(part), String(total)), {
          name: (
            <a
              href={pagePath(`/${kind}/${encodeURIComponent(slug)}`)}
              className="inline-flex min-h-11 max-w-full items-center font-medium text-lamp-text hover:underline"
            >
              <bdi>{name}</bdi>
            </a>
          ),
        })}
      </p>
      <Step place={place} to={previous} nameOf={messages.previous}>
        <SkipBackIcon className="size-5 rtl:-scale-x-100" />
      </Step>
      <Step place={place} to={next} nameOf={messages.next}>
        <SkipForwardIcon className="size-5 rtl:-scale-x-100" />
      </Step>
    </nav>
  );
}

/** Reads a series from the query parameter `in`. Null for other texts. */
function readKey(key: string) {
  const dot = key.indexOf(".");
  const kind = labelKinds.find((each) => each === key.slice(0, dot));
  const slug = key.slice(dot + 1);
  return kind === undefined || slug === "" ? null : { kind, slug };
}

/** Links to the series in the URL, for a part that can't be shown. */
export function SeriesLink() {
  const series = readKey(new URLSearchParams(useLocation().search).get("in") ?? "");
  if (series === null) return null;
  return (
    <a
      href={pagePath(`/${series.kind}/${encodeURIComponent(series.slug)}`)}
      className={buttonClass({ kind: "quiet" })}
    >
      {messages.open}
    </a>
  );
}

/** Returns the key of the label that a merged or renamed one has become, or null. */
async function currentKey(api: PageApi, wanted: string): Promise<string | null> {
  const series = readKey(wanted);
  if (series === null) return null;
  const label = await api.getLabel(series.kind, series.slug).catch(() => null);
  return label === null ? null : seriesKey({ ...series, slug: label.slug });
}

/**
 * Redirects if the URL names a series that the video isn't in, so that each page has few URLs: to
 * the series into which it was merged, or to the URL without a series.
 */
export async function settleSeries(api: PageApi, video: Video, url: URL): Promise<void> {
  const [wanted, ...more] = url.searchParams.getAll("in");
  const keys = new Set(video.series?.map(seriesKey));
  if (wanted === undefined || (keys.has(wanted) && more.length === 0)) return;
  const current = keys.has(wanted) ? wanted : await currentKey(api, wanted);
  const params = new URLSearchParams(url.search);
  if (current !== null && keys.has(current)) params.set("in", current);
  else params.delete("in");
  const path = plainPath(url.pathname) ?? url.pathname;
  throw redirect(params.size === 0 ? path : `${path}?${params}`);
}
