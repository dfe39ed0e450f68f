import { Menu } from "@base-ui/react/menu";
import { CheckIcon } from "lucide-react";
import { useState } from "react";
import type { FeedVideo } from "#contract/lists/feed.ts";
import { isTranscript } from "#contract/videos/transcript-tracks.ts";
import { openSaveMenu } from "#web/components/save/save-menu.tsx";
import { useSourcePath } from "#web/components/site/source-link.tsx";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { reasonText } from "#web/lib/lists/why-text.ts";
import { toast } from "#web/components/ui/toast.tsx";
import { useSite } from "#web/lib/page/site.ts";
import type { Player } from "#web/features/player/core/player.ts";
import { usePlayerState } from "#web/features/player/use-player-state.ts";
import { changeSteering, readSteering } from "../core/steering.ts";
import { useHasPanels } from "../hooks/use-has-panels.ts";

const siteMessages = inLanguage("site");
const transcriptMessages = inLanguage("transcript");
const messages = inLanguage("feed");

/** Maximum number of tags shown and offered for a clip. */
const tagsMax = 3;

/** Menu of feed preferences. Loaded when it is opened. */
export function FeedMenu({
  video,
  player,
  anchor,
  onClose,
  onSteer,
  onReport,
  onShare,
}: {
  video: FeedVideo;
  player: Player | null;
  anchor: HTMLElement | null;
  onClose: () => void;
  /** Called when the order of the feed has changed. An unwanted clip leaves the screen. */
  onSteer: (isUnwanted: boolean) => void;
  onReport: () => void;
  /** Called to open the dialog with more ways to share. */
  onShare: () => void;
}) {
  // Beside the rail, over the video.
  const side = document.dir === "rtl" ? "right" : "left";
  const why = reasonText(video);
  const sourcePath = useSourcePath();
  const [isPersonal, setPersonal] = useState(() => readSteering().isPersonal);
  // Wide screens show comments beside the frame.
  const hasPanels = useHasPanels();
  const hasComments = useSite().settings.comments !== "off" && !hasPanels;
  return (
    <Menu.Root open modal={false} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} side={side} align="end" sideOffset={8} className="z-50">
          <Menu.Popup className="popup w-64 p-1.5" finalFocus={{ current: anchor }}>
            {why === null ? null : <p className="px-3 pt-1.5 pb-2 text-xs text-ink-11">{why}</p>}
            <Menu.Item
              className="popup-item min-h-11"
              onClick={() => {
                changeSteering({ not: video.id });
                toast.success(messages.notInterestedDone);
                onSteer(true);
              }}
            >
              {messages.notInterested}
            </Menu.Item>
            {video.tags.slice(0, tagsMax).map(({ tag }) => (
              <Menu.Item
                key={tag.id}
                className="popup-item min-h-11"
                onClick={() => {
                  changeSteering({ less: tag.id });
                  toast.success(messages.lessDone(tag.name));
                  onSteer(false);
                }}
              >
                <span className="min-w-0 py-1 break-words">{messages.less(tag.name)}</span>
              </Menu.Item>
            ))}
            <Menu.Item
              className="popup-item min-h-11"
              onClick={() => {
                if (anchor !== null) openSaveMenu(anchor, video.slug);
              }}
            >
              {messages.keep}
            </Menu.Item>
            {player === null ? null : <CaptionItems player={player} />}
            {player === null || video.captions?.some(isTranscript) !== true ? null : (
              <Menu.Item
                className="popup-item min-h-11"
                onClick={() => {
                  import("#web/features/transcript/transcript-dialog.tsx").then(
                    ({ openTranscript }) => openTranscript(video, player),
                    console.warn,
                  );
                }}
              >
                {transcriptMessages.title}
              </Menu.Item>
            )}
            {hasComments ? (
              <Menu.LinkItem
                className="popup-item min-h-11"
                href={pagePath(`/comments/${encodeURIComponent(video.slug)}`)}
              >
                {messages.comments}
              </Menu.LinkItem>
            ) : null}
            <Menu.Item className="popup-item min-h-11" onClick={onShare}>
              {messages.shareMore}
            </Menu.Item>
            <Menu.Item className="popup-item min-h-11" onClick={onReport}>
              {messages.report}
            </Menu.Item>
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.CheckboxItem
              className="popup-item min-h-11"
              checked={isPersonal}
              closeOnClick
              onCheckedChange={(next) => {
                setPersonal(next);
                changeSteering({ isPersonal: next });
                toast.success(next ? messages.personalOn : messages.personalOff);
                onSteer(false);
              }}
            >
              <span className="flex-1">{messages.personal}</span>
              <Menu.CheckboxItemIndicator>
                <CheckIcon className="size-4 text-lamp-text" />
              </Menu.CheckboxItemIndicator>
            </Menu.CheckboxItem>
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.LinkItem className="popup-item min-h-11 text-ink-11" href={pagePath(sourcePath)}>
              {siteMessages.source}
            </Menu.LinkItem>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function CaptionItems({ player }: { player: Player }) {
  const captions = usePlayerState(player, (state) => state.captions);
  const active = usePlayerState(player, (state) => state.activeCaption);
  return captions.map(({ id, label, language }) => (
    <Menu.CheckboxItem
      key={id}
      className="popup-item min-h-11"
      checked={active === id}
      closeOnClick
      onCheckedChange={(next) => player.selectCaption(next ? id : null)}
    >
      <span className="min-w-0 flex-1 py-1 break-words">
        {messages.captions} <span lang={language}>{label}</span>
      </span>
      <Menu.CheckboxItemIndicator>
        <CheckIcon className="size-4 text-lamp-text" />
      </Menu.CheckboxItemIndicator>
    </Menu.CheckboxItem>
  ));
}
