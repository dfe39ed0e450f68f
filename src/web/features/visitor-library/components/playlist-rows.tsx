import { ArrowDownIcon, ArrowUpIcon, XIcon } from "lucide-react";
import type { ReactNode } from "react";
import { reportIfLost } from "#web/components/save/report-lost.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { focusNextItem } from "#web/lib/focus-next-item.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import type { Playlist } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { playlistHref } from "#web/lib/visitor-library/playlist-href.ts";
import { libraryMessages as messages } from "../messages.ts";
import { pagePath } from "#web/lib/language/page-language.ts";

function RowButton(props: {
  label: string;
  isDisabled?: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={props.label}
      // Stays focusable at the ends of the list, so that keyboard users don't lose their place.
      aria-disabled={props.isDisabled}
      onClick={props.onPress}
      className={`${buttonClass({ kind: "ghost", isSquare: true })} aria-disabled:opacity-40`}
    >
      {props.children}
    </button>
  );
}

/** Lists the videos of a playlist in playback order, with buttons that change the order. */
export function PlaylistRows({ playlist: { id, videos } }: { playlist: Playlist }) {
  return (
    <ol className="mt-1 grid grid-cols-1 gap-2">
      {videos.map(({ slug, title, thumbnail, isSensitive, durationS }, index) => (
        <li key={slug} className="flex items-center gap-2">
          <a
            href={pagePath(playlistHref(slug, id))}
            className="flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-md hover:text-lamp-text"
          >
            <span className="relative block aspect-video w-20 shrink-0 overflow-hidden rounded-sm bg-ink-3">
              <Thumbnail src={thumbnail} className={isSensitive ? "blur-xl" : undefined} />
            </span>
            <bdi className="title-lines text-sm">{title}</bdi>
            <span className="tabular ms-auto hidden shrink-0 text-xs text-ink-11 sm:block">
              {formatDuration(durationS)}
            </span>
          </a>
          <span className="flex shrink-0">
            <RowButton
              label={messages.moveUp(title)}
              isDisabled={index === 0}
              onPress={() => reportIfLost(library.movePlaylistVideo(id, slug, -1))}
            >
              <ArrowUpIcon className="size-4" />
            </RowButton>
            <RowButton
              label={messages.moveDown(title)}
              isDisabled={index === videos.length - 1}
              onPress={() => reportIfLost(library.movePlaylistVideo(id, slug, 1))}
            >
              <ArrowDownIcon className="size-4" />
            </RowButton>
            <RowButton
              label={messages.removeVideo(title)}
              onPress={() => {
                focusNextItem();
                reportIfLost(library.removeFromPlaylist(id, slug));
              }}
            >
              <XIcon className="size-4" />
            </RowButton>
          </span>
        </li>
      ))}
    </ol>
  );
}
