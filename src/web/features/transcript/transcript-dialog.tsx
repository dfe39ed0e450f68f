import { useEffect, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import type { Transcript } from "#contract/videos/transcript.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { inLanguage, pageLanguage } from "#web/lib/language/page-language.ts";
import type { Player } from "#web/features/player/core/player.ts";

import { TranscriptPanel, type TranscriptPlayer } from "./transcript-panel.tsx";
import { fetchTranscript } from "./transcript-store.ts";
import "./transcript.css";

const messages = inLanguage("transcript");

interface TranscriptDialogProps {
  video: Pick<Video, "slug" | "title">;
  player: TranscriptPlayer;
  onClose: () => void;
}

function TranscriptDialog({ video, player, onClose }: TranscriptDialogProps) {
  const { slug, title } = video;
  const [first, setFirst] = useState<Transcript | null>(null);
  useEffect(() => {
    fetchTranscript(slug, { language: pageLanguage().code }).then(setFirst, (error: unknown) => {
      console.warn("Couldn't load the transcript", error);
      toast.error(messages.loadFailed);
    });
  }, [slug]);
  return (
    <Dialog onClose={onClose} title={messages.title} description={title}>
      {first === null ? <Spinner /> : <TranscriptPanel slug={slug} first={first} player={player} />}
    </Dialog>
  );
}

let root: Root | null = null;

/** Opens the transcript of a clip in the feed. */
export function openTranscript(video: Pick<Video, "slug" | "title">, player: Player): void {
  root ??= createRoot(document.body.appendChild(document.createElement("div")));
  const close = () => root?.render(null);
  const seekable: TranscriptPlayer = {
    findMedia: () => player.media,
    seekTo(positionS) {
      player.seekTo(positionS);
      player.play();
    },
  };
  root.render(
    <TranscriptDialog key={video.slug} video={video} player={seekable} onClose={close} />,
  );
}
