import { useEffect, useRef, useState } from "react";
import { frameSandbox, maxSlotHeightPx } from "../../../../contract/ad-frame.ts";
import { isAdAddress } from "../../../../contract/ad-rules.ts";
import { isListedOrigin, originLimits } from "../../../../contract/ad-origins.ts";
import { Button } from "../../../components/ui/button.tsx";
import { listenToFrame, type Blocked } from "../../ads/core/frame-messages.ts";
import { isDirectFile } from "../../ads/vast/media-choice.ts";
import { previewOrigins, type AdForm } from "./ad-form.ts";
import { adMessages as messages } from "./messages.ts";

/** How long the user must pause before the preview is refreshed. */
const quietMs = 400;

function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}

interface HtmlPreviewProps {
  html: string;
  heightPx: number;
  origins: string;
  onAllow: (origin: string) => void;
}

/** The HTML in the same sandbox as on the site. It never runs in the back office itself. */
function HtmlPreview({ html, heightPx, origins, onAllow }: HtmlPreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [reportedPx, setReportedPx] = useState(0);
  const [blocked, setBlocked] = useState<readonly Blocked[]>([]);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    return listenToFrame(element, {
      onReady: () => element.contentWindow?.postMessage({ spotHtml: html }, "*"),
      onSize: ({ heightPx }) => setReportedPx(Math.min(heightPx, maxSlotHeightPx)),
      onBlocked: ({ kind, origin }) =>
        setBlocked((all) =>
          all.length >= originLimits.ad || all.some((one) => one.origin === origin)
            ? all
            : [...all, { kind, origin }],
        ),
    });
  }, [html]);
  return (
    <>
      <iframe
        ref={frame}
        title="Preview of the HTML"
        src={`/spots/preview?origins=${encodeURIComponent(origins)}`}
        sandbox={frameSandbox}
        className="block w-full rounded-sm border-0 bg-white"
        style={{ height: Math.max(heightPx, reportedPx), colorScheme: "light" }}
      />
      <ul role="status" className="grid gap-2 empty:hidden">
        {blocked.map(({ kind, origin }) => (
          <li key={origin} className="mt-2 rounded-md bg-danger-soft px-4 py-3 text-sm">
            <p className="break-words text-danger-text">{messages.blocked[kind](origin)}</p>
            {isListedOrigin(origin) ? (
              <Button className="mt-2" onClick={() => onAllow(origin)}>
                {messages.allow(origin)}
              </Button>
            ) : (
              <p className="text-danger-text">{messages.blockedPlain}</p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The creative as visitors will see it, while the form is filled in. */
export function AdPreview({
  form,
  onAllow,
}: {
  form: AdForm;
  /** The user lets the ad use an origin that was blocked. */
  onAllow: (origin: string) => void;
}) {
  const html = useQuiet(form.content);
  const origins = useQuiet(previewOrigins(form).join(","));
  const imageUrl = useQuiet(form.imageUrl.trim());
  const videoUrl = useQuiet(form.vastTagUrl.trim());
  const isVideo = form.type === "video" && videoUrl !== "";
  const heightPx = Number(form.heightPx) || 90;

  return (
    <section aria-label="Preview" className="rounded-md bg-ink-3 p-3">
      <p className="mb-2 text-xs text-ink-11">Preview</p>
      {isVideo && isAdAddress(videoUrl) ? (
        isDirectFile(videoUrl) ? (
          <video
            key={videoUrl}
            src={videoUrl}
            controls
            muted
            playsInline
            className="max-h-60 w-full bg-black"
          />
        ) : (
          <p className="text-sm text-ink-11">A VAST tag: test it to see what it leads to.</p>
        )
      ) : html.trim() !== "" ? (
        <HtmlPreview
          key={`${origins} ${html}`}
          html={html}
          heightPx={Math.min(heightPx, maxSlotHeightPx)}
          origins={origins}
          onAllow={onAllow}
        />
      ) : imageUrl !== "" && isAdAddress(imageUrl) ? (
        <ImagePreview key={imageUrl} url={imageUrl} alt={form.title} />
      ) : (
        <div className="rounded-sm bg-ink-2 px-4 py-3">
          <p className="font-semibold break-words">{form.title.trim() || "Title"}</p>
          {form.description.trim() === "" ? null : (
            <p className="mt-0.5 text-sm break-words text-ink-11">{form.description}</p>
          )}
        </div>
      )}
    </section>
  );
}

function ImagePreview({ url, alt }: { url: string; alt: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) {
    return (
      <p className="text-sm text-danger-text">
        The picture does not load. Visitors see the title instead.
      </p>
    );
  }
  return (
    <img
      src={url}
      alt={alt}
      referrerPolicy="no-referrer"
      className="max-h-60 w-full object-contain"
      onError={() => setFailed(true)}
    />
  );
}
