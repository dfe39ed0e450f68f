import { useState } from "react";
import { embeddersOf, type SiteEmbedding, type VideoEmbedding } from "#contract/site/embedding.ts";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { QrCode } from "../ui/qr-code.tsx";
import { toast } from "../ui/toast.tsx";

const messages = inLanguage("share");

export interface SharedVideo {
  slug: string;
  title: string;
  /** Path of the page to share. */
  path: string;
  /** Current position in the video. Null if links have no start time. */
  positionS: number | null;
  /** Who may embed the video, if it has a rule of its own. */
  embedding?: VideoEmbedding | undefined;
}

interface ShareSheetProps {
  video: SharedVideo;
  /** Origin of the shared links, and path of their language. */
  base: string;
  siteEmbedding: SiteEmbedding;
  onClose: () => void;
}

const escapeAttribute = (text: string) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

/** Text to copy. A click selects it. */
function CopyField({ label, text, copied }: { label: string; text: string; copied: string }) {
  const copy = async () => {
    if (await copyText(text)) toast.success(copied);
    else toast.error(messages.notCopied);
  };
  return (
    <div className="flex items-end gap-2">
      <TextField
        label={label}
        value={text}
        dir="ltr"
        readOnly
        className="min-w-0 flex-1"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button aria-label={messages.copyOf(label)} onClick={() => void copy()}>
        {messages.copy}
      </Button>
    </div>
  );
}

/** More ways to share a link. Loaded on the first press of Share. */
export function ShareSheet({ video, base, siteEmbedding, onClose }: ShareSheetProps) {
  const { slug, title, path, positionS, embedding } = video;
  const url = base + path;
  const embedUrl = `${base}/embed/${encodeURIComponent(slug)}`;
  const [startS] = useState(() => Math.floor(positionS ?? 0));
  const [hasStart, setHasStart] = useState(false);
  const start = hasStart ? `?t=${startS}` : "";
  const embed = `<iframe src="${escapeAttribute(embedUrl + start)}" title="${escapeAttribute(title)}" width="640" height="360" style="border:0" allow="fullscreen; picture-in-picture" allowfullscreen></iframe>`;
  return (
    <Dialog isOpen onClose={onClose} title={messages.title} description={title} size="small">
      <div className="grid gap-4">
        <CopyField label={messages.link} text={url + start} copied={messages.linkCopied} />
        {startS < 1 ? null : (
          <label className="flex min-h-11 items-center gap-3 text-sm">
            <input
              type="checkbox"
              className="choice"
              checked={hasStart}
              onChange={(event) => setHasStart(event.target.checked)}
            />
            {messages.startAt(formatDuration(startS))}
          </label>
        )}
        {embeddersOf(siteEmbedding, embedding) === "nobody" ? null : (
          <CopyField label={messages.embed} text={embed} copied={messages.embedCopied} />
        )}
        <div className="flex flex-wrap items-center justify-center gap-4">
          <QrCode text={url + start} label={messages.qr} />
          <p className="min-w-32 flex-1 text-sm text-ink-11">{messages.qrHint}</p>
          {typeof navigator.share === "function" ? (
            <Button onClick={() => void shareByDevice(title, url + start)}>
              {messages.device}
            </Button>
          ) : null}
        </div>
      </div>
    </Dialog>
  );
}
