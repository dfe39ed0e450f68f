import { Menu } from "@base-ui/react/menu";
import { CheckIcon } from "lucide-react";
import { useState } from "react";
import { can } from "#contract/accounts/policy.ts";
import { useSession } from "#web/lib/session.ts";
import { browserApi } from "#web/lib/api/page-api.ts";
import type { KeptVideo, Playlist } from "#web/lib/visitor-library/library-data.ts";
import { library, useLibrary } from "#web/lib/visitor-library/library.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { toast } from "../ui/toast.tsx";
import { NameDialog } from "./name-dialog.tsx";
import { reportStored } from "./report-lost.ts";
import { createRoot, type Root } from "react-dom/client";

const messages = inLanguage("save");
const clipMessages = inLanguage("clips");

interface SaveMenuProps {
  anchor: HTMLElement;
  slug: string;
  onClose: () => void;
}

async function findVideo(slug: string) {
  const { title, thumbnail, isSensitive, duration } = await browserApi.getVideo(slug);
  return { slug, title, thumbnail, isSensitive, durationS: duration };
}

function fail(error: unknown): void {
  console.warn("Couldn't save a video", error);
  toast.error(messages.failed);
}

async function toggleLater(slug: string, isKept: boolean): Promise<void> {
  const isStored = isKept
    ? library.forgetVideo("later", slug)
    : library.addLater(await findVideo(slug));
  reportStored(isStored, (isKept ? messages.removed : messages.added)(messages.later));
}

function addTo({ id, name }: Pick<Playlist, "id" | "name">, video: Omit<KeptVideo, "atMs">): void {
  const isStored = library.addToPlaylist(id, video);
  if (isStored === null) toast.error(messages.listFull(name));
  else reportStored(isStored, messages.added(name));
}

async function togglePlaylist(list: Playlist, slug: string, isKept: boolean): Promise<void> {
  if (!isKept) return addTo(list, await findVideo(slug));
  reportStored(library.removeFromPlaylist(list.id, slug), messages.removed(list.name));
}

async function addToNew(name: string, slug: string): Promise<void> {
  const video = await findVideo(slug);
  const created = library.createPlaylist(name);
  if (created === null) return toast.error(messages.full);
  addTo({ id: created.id, name }, video);
}

function Choice(props: { label: string; isKept: boolean; change: () => Promise<void> }) {
  const { label, isKept, change } = props;
  return (
    <Menu.CheckboxItem
      className="popup-item min-h-11"
      checked={isKept}
      closeOnClick
      onCheckedChange={() => void change().catch(fail)}
    >
      <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
      <Menu.CheckboxItemIndicator>
        <CheckIcon className="size-4 text-lamp-text" />
      </Menu.CheckboxItemIndicator>
    </Menu.CheckboxItem>
  );
}

/** Opens the page that makes clips at the time that plays. */
function openClipPage(slug: string): void {
  const media = document.querySelector<HTMLVideoElement>(".video-page-player video");
  const atS = Math.floor((media?.currentTime ?? 0) * 1000) / 1000;
  window.location.assign(`/admin/videos/${encodeURIComponent(slug)}/clips?t=${atS}`);
}

/**
 * Menu with Watch later, the playlists in this browser, and New playlist. With Report if the anchor
 * has `data-reports`, which gets the event `report`.
 */
export function SaveMenu({ anchor, slug, onClose }: SaveMenuProps) {
  const { later, playlists } = useLibrary();
  const [isNaming, setNaming] = useState(false);
  const { user } = useSession();
  const isEditor = user !== null && can(user.role, "content.edit");
  const isIn = (videos: Playlist["videos"]) => videos.some((video) => video.slug === slug);
  if (isNaming) {
    return (
      <NameDialog
        title={messages.newTitle}
        action={messages.create}
        onClose={onClose}
        onName={(name) => void addToNew(name, slug).catch(fail)}
      />
    );
  }
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align="end" sideOffset={4} className="z-50">
          <Menu.Popup
            aria-label={messages.menu}
            className="popup w-64 max-w-[calc(100vw-2rem)] p-1.5"
            finalFocus={{ current: anchor }}
          >
            <Choice
              label={messages.later}
              isKept={isIn(later)}
              change={() => toggleLater(slug, isIn(later))}
            />
            {playlists.map((list) => (
              <Choice
                key={list.id}
                label={list.name}
                isKept={isIn(list.videos)}
                change={() => togglePlaylist(list, slug, isIn(list.videos))}
              />
            ))}
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.Item
              className="popup-item min-h-11"
              closeOnClick={false}
              onClick={() => setNaming(true)}
            >
              {messages.newPlaylist}
            </Menu.Item>
            {anchor.hasAttribute("data-reports") ? (
              <Menu.Item
                className="popup-item min-h-11"
                onClick={() => void anchor.dispatchEvent(new Event("report"))}
              >
                {messages.report}
              </Menu.Item>
            ) : null}
            {anchor.hasAttribute("data-reports") && isEditor ? (
              <Menu.Item className="popup-item min-h-11" onClick={() => openClipPage(slug)}>
                {clipMessages.make}
              </Menu.Item>
            ) : null}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

let root: Root | null = null;

/** Opens the menu that saves a video for later or in a playlist, beside this element. */
export function openSaveMenu(anchor: HTMLElement, slug: string): void {
  root ??= createRoot(document.body.appendChild(document.createElement("div")));
  const close = () => root?.render(null);
  root.render(<SaveMenu key={slug} anchor={anchor} slug={slug} onClose={close} />);
}
