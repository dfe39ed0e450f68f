import { useState } from "react";
import { embeddersOf, type SiteEmbedding, type VideoEmbedding } from "#contract/site/embedding.ts";
import { copyText, shareByDevice } from "#web/lib/copy-text.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
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
  /** In pixels. Null if they aren't known yet. */
  width: number | null;
  height: number | null;
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

interface CheckProps {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

function Check({ label, isChecked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-sm">
      <input
        type="checkbox"
        className="choice"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

/** Longer side of a frame with the default size, in pixels. */
const defaultSide = 560;
/** Narrowest and widest frame that the dialog offers. */
const widths = { min: 200, max: 3840 };

/** Code of the embedded player, its choices, and a preview, which is loaded on request. */
function EmbedSection({
  video,
  base,
  startS,
}: {
  video: SharedVideo;
  base: string;
  startS: number;
}) {
  const [isResponsive, setIsResponsive] = useState(false);
  const [autoplays, setAutoplays] = useState(false);
  const [hasPreview, setHasPreview] = useState(false);
  const [ratioX, ratioY] =
    video.width === null || video.height === null
      ? ([16, 9] as const)
      : [video.width, video.height];
  const defaultWidth = Math.round(defaultSide * Math.min(1, ratioX / ratioY));
  const [wanted, setWanted] = useState(String(defaultWidth));
  const isInRange = Number(wanted) >= widths.min && Number(wanted) <= widths.max;
  const width = isInRange ? Math.round(Number(wanted)) : defaultWidth;
  const height = Math.round((width * ratioY) / ratioX);

  // Browsers only let a video start by itself if it is muted.
  const parameters = [
    ...(startS > 0 ? [`t=${startS}`] : []),
    ...(autoplays ? ["autoplay=1", "muted=1"] : []),
  ].join("&");
  const path = `/embed/${encodeURIComponent(video.slug)}${parameters === "" ? "" : `?${parameters}`}`;
  const frame = (size: string, style: string) =>
    `<iframe src="${escapeAttribute(base + path)}" title="${escapeAttribute(video.title)}"${size} style="${style}" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`;
  const code = isResponsive
    ? `<div style="aspect-ratio:${ratioX}/${ratioY}">${frame("", "width:100%;height:100%;border:0")}</div>`
    : frame(` width="${width}" height="${height}"`, "border:0");

  return (
    <fieldset className="grid min-w-0 gap-3 border-t border-line pt-4">
      <legend className="sr-only">{messages.embedding}</legend>
      <CopyField label={messages.embed} text={code} copied={messages.embedCopied} />
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={messages.size}
          className="min-w-40 flex-1"
          value={isResponsive ? "responsive" : "fixed"}
          options={[
            { value: "fixed", label: messages.sizeFixed },
            { value: "responsive", label: messages.sizeResponsive },
          ]}
          onChange={(event) => setIsResponsive(event.target.value === "responsive")}
        />
        {isResponsive ? null : (
          <TextField
            label={messages.width}
            className="min-w-32 flex-1"
            type="number"
            inputMode="numeric"
            {...widths}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            onBlur={() => setWanted(String(width))}
          />
        )}
      </div>
      <Check label={messages.autoplay} isChecked={autoplays} onChange={setAutoplays} />
      <Button
        aria-expanded={hasPreview}
        className="justify-self-start"
        onClick={() => setHasPreview(!hasPreview)}
      >
        {messages.preview}
      </Button>
      {hasPreview ? (
        // A sandbox would change what the site's own player can do.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe
          src={path}
          title={messages.preview}
          allow="autoplay; fullscreen; picture-in-picture"
          className="mx-auto max-h-80 w-full border-0"
          style={{ aspectRatio: `${ratioX}/${ratioY}` }}
        />
      ) : null}
    </fieldset>
  );
}

/** More ways to share a link. Loaded on the first press of Share. */
export function ShareSheet({ video, base, siteEmbedding, onClose }: ShareSheetProps) {
  const { title, path, positionS, embedding } = video;
  const [positionAtOpen] = useState(() => Math.floor(positionS ?? 0));
  const [hasStart, setHasStart] = useState(false);
  const startS = hasStart ? positionAtOpen : 0;
  const url = base + path + (startS > 0 ? `?t=${startS}` : "");
  return (
    <Dialog isOpen onClose={onClose} title={messages.title} description={title} size="small">
      <div className="grid gap-4">
        <CopyField label={messages.link} text={url} copied={messages.linkCopied} />
        {positionAtOpen < 1 ? null : (
          <Check
            label={messages.startAt(formatDuration(positionAtOpen))}
            isChecked={hasStart}
            onChange={setHasStart}
          />
        )}
        <div className="flex flex-wrap items-center justify-center gap-4">
          <QrCode text={url} label={messages.qr} />
          <p className="min-w-32 flex-1 text-sm text-ink-11">{messages.qrHint}</p>
          {typeof navigator.share === "function" ? (
            <Button onClick={() => void shareByDevice(title, url)}>{messages.device}</Button>
          ) : null}
        </div>
        {embeddersOf(siteEmbedding, embedding) === "nobody" ? null : (
          <EmbedSection video={video} base={base} startS={startS} />
        )}
      </div>
    </Dialog>
  );
}
