import { ChevronDownIcon, ArrowDownIcon, ArrowUpIcon, XIcon } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { NameDialog } from "#web/components/save/name-dialog.tsx";
import { reportIfLost } from "#web/components/save/report-lost.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { counted, formatDuration } from "#web/lib/format/format.ts";
import { playlistHref } from "#web/lib/visitor-library/playlist-href.ts";
import type { Playlist } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { focusItem, focusNextItem } from "#web/lib/focus-next-item.ts";

const formatTexts = inLanguage("format");
const messages = inLanguage("library");

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
function PlaylistRows({ playlist: { id, videos } }: { playlist: Playlist }) {
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

type Asked = "rename" | "delete" | null;

function OnePlaylist({ playlist }: { playlist: Playlist }) {
  const { id, name, videos } = playlist;
  const [asked, setAsked] = useState<Asked>(null);
  const [first] = videos;
  const close = () => setAsked(null);
  const item = useRef<HTMLLIElement>(null);
  const remove = () => {
    const other = item.current?.nextElementSibling ?? item.current?.previousElementSibling;
    // The first control of the neighboring playlist, because its video buttons may be hidden.
    focusItem(other?.firstElementChild);
    reportIfLost(library.deletePlaylist(id));
  };
  return (
    <li ref={item} className="rounded-lg bg-ink-2 p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="relative block aspect-video w-28 shrink-0 overflow-hidden rounded-md bg-ink-3">
          <Thumbnail
            src={first?.thumbnail ?? null}
            className={first?.isSensitive ? "blur-xl" : undefined}
          />
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">
            <bdi className="title-lines">{name}</bdi>
          </h3>
          <p className="tabular text-sm text-ink-11">
            {counted(videos.length, formatTexts.videos)}
          </p>
        </div>
        <div className="flex w-full flex-wrap gap-2 sm:w-auto">
          {first === undefined ? null : (
            <a
              href={pagePath(playlistHref(first.slug, id))}
              aria-label={messages.playList(name)}
              className={buttonClass({ kind: "primary" })}
            >
              {messages.play}
            </a>
          )}
          <Button aria-label={messages.renameList(name)} onClick={() => setAsked("rename")}>
            {messages.rename}
          </Button>
          <Button aria-label={messages.deleteList(name)} onClick={() => setAsked("delete")}>
            {messages.delete}
          </Button>
        </div>
      </div>
      {videos.length === 0 ? null : (
        <details className="group mt-2">
          <summary className="inline-flex min-h-11 items-center gap-1 text-sm font-medium text-ink-11 hover:text-ink-12">
            {messages.showVideos}
            <ChevronDownIcon className="size-4 group-open:rotate-180" />
          </summary>
          <PlaylistRows playlist={playlist} />
        </details>
      )}
      {asked === "rename" ? (
        <NameDialog
          title={messages.renameTitle}
          action={messages.rename}
          current={name}
          onName={(next) => reportIfLost(library.renamePlaylist(id, next))}
          onClose={close}
        />
      ) : null}
      <Dialog
        isOpen={asked === "delete"}
        onClose={close}
        title={messages.deleteTitle(name)}
        size="small"
        footer={
          <>
            <Button onClick={close}>{messages.cancel}</Button>
            <Button kind="danger" onClick={remove}>
              {messages.delete}
            </Button>
          </>
        }
      />
    </li>
  );
}

/** Lets visitors create, play, rename, reorder and delete the playlists in this browser. */
export function Playlists({ playlists }: { playlists: readonly Playlist[] }) {
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      {playlists.length === 0 ? (
        <p className="mb-4 text-sm text-ink-11">{messages.playlistsEmpty}</p>
      ) : (
        <ul className="mb-4 grid grid-cols-1 items-start gap-3 xl:grid-cols-2">
          {playlists.map((playlist) => (
            <OnePlaylist key={playlist.id} playlist={playlist} />
          ))}
        </ul>
      )}
      <Button onClick={() => setNaming(true)}>{messages.newPlaylist}</Button>
      {isNaming ? (
        <NameDialog
          title={messages.newPlaylist}
          action={messages.create}
          onName={(name) => {
            const created = library.createPlaylist(name);
            if (created === null) toast.error(messages.tooManyPlaylists);
            else reportIfLost(created.isStored);
          }}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  );
}
