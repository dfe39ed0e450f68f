import { ListVideoIcon } from "lucide-react";
import { useRef, type MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import type { ListQuery, ListResult } from "#web/lib/lists/card-list.ts";
import { videoHref } from "#web/lib/lists/card-video.ts";
import { partHref } from "#web/lib/lists/part-href.ts";
import { useEntryKey } from "#web/lib/page/location.ts";

const messages = inLanguage("series");

/**
 * Link that plays a list through. The first video of a series leads to the others. Any other list
 * becomes the queue of this tab. Without scripts, it opens the first video.
 */
export function PlayAll({
  result,
  query,
  name,
}: {
  result: ListResult | null;
  /** Query of the list, for the videos that aren't shown yet. */
  query: ListQuery;
  name: string;
}) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const memoryKey = useEntryKey();
  const isBusy = useRef(false);
  if (result?.isLoaded !== true || result.list.total < 2) return null;
  const [first] = result.list.videos;
  if (first === undefined) return null;
  const { list } = result;

  const play = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    const { href: listUrl } = window.location;
    let href = videoHref(first.slug);
    try {
      const { startQueue } = await import("#web/lib/start-queue.ts");
      href = await startQueue({ memoryKey, list, query, name, from: pathname + search });
    } catch (error) {
      console.warn("Couldn't start the queue", error);
    }
    // The visitor may have opened another page meanwhile.
    if (window.location.href === listUrl) await navigate(href);
    isBusy.current = false;
  };
  return (
    <a
      href={pagePath(first.part ? partHref(first.slug, first.part.in) : videoHref(first.slug))}
      onClick={first.part === undefined ? (event) => void play(event) : undefined}
      className={buttonClass({ kind: "primary" })}
    >
      <ListVideoIcon className="size-5" />
      {messages.playAll}
    </a>
  );
}
