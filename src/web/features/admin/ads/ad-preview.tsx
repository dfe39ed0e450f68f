import { useEffect, useRef, useState } from "react";
import { isAdAddress } from "../../../../contract/ad-rules.ts";
import { frameSandbox, readFrameMessage } from "../../ads/core/frame-messages.ts";
import { isDirectFile } from "../../ads/vast/media-choice.ts";
import type { AdForm } from "./ad-form.ts";

/** Typing pauses this long before the frame is made anew. */
const quietMs = 400;

function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}

/** The HTML behind the same walls as on the site. It is never run in the back office itself. */
function HtmlPreview({ html, heightPx }: { html: string; heightPx: number }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [saidPx, setSaidPx] = useState(0);
  useEffect(() => {
    const receive = (event: MessageEvent<unknown>) => {
      const target = frame.current?.contentWindow;
      if (target == null || event.source !== target) return;
      const message = readFrameMessage(event.data);
      if (message?.kind === "ready") target.postMessage({ spotHtml: html }, "*");
      if (message?.kind === "size") setSaidPx(Math.min(message.heightPx, 600));
    };
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [html]);
  return (
    <iframe
      ref={frame}
      title="Preview of the HTML"
      src="/spots/preview"
      sandbox={frameSandbox}
      className="block w-full rounded-sm border-0 bg-white"
      style={{ height: Math.max(heightPx, saidPx), colorScheme: "light" }}
    />
  );
}

/** The creative as visitors will see it, while it is being written. */
export function AdPreview({ form }: { form: AdForm }) {
  const html = useQuiet(form.content);
  const imageUrl = useQuiet(form.imageUrl.trim());
  const filmUrl = useQuiet(form.vastTagUrl.trim());
  const isFilm = form.type === "video" && filmUrl !== "";
  const heightPx = Number(form.heightPx) || 90;

  return (
    <section aria-label="Preview" className="rounded-md bg-ink-3 p-3">
      <p className="mb-2 text-xs text-ink-11">Preview</p>
      {isFilm && isAdAddress(filmUrl) ? (
        isDirectFile(filmUrl) ? (
          <video
            key={filmUrl}
            src={filmUrl}
            controls
            muted
            playsInline
            className="max-h-60 w-full bg-black"
          />
        ) : (
          <p className="text-sm text-ink-11">A VAST tag: test it to see what it leads to.</p>
        )
      ) : html.trim() !== "" ? (
        <HtmlPreview key={html} html={html} heightPx={Math.min(heightPx, 600)} />
      ) : imageUrl !== "" && isAdAddress(imageUrl) ? (
        <PicturePreview key={imageUrl} url={imageUrl} alt={form.title} />
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

function PicturePreview({ url, alt }: { url: string; alt: string }) {
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
