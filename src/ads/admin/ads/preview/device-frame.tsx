import { useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import type { PreviewSize } from "./staged-ad.ts";

/** Maximum height of the preview. Taller devices are scaled down. */
const maxHeightPx = 480;

/** Copies the styles and theme of this page into the document. Resolves once they are loaded. */
async function dress(frame: Document): Promise<void> {
  const { lang, className, dataset } = document.documentElement;
  const root = frame.documentElement;
  root.lang = lang;
  root.className = className;
  if (dataset["theme"] !== undefined) root.dataset["theme"] = dataset["theme"];
  root.style.cssText = document.documentElement.style.cssText;
  const sheets = [...document.querySelectorAll('link[rel="stylesheet"], style')];
  await Promise.all(sheets.map((sheet) => addSheet(frame, sheet)));
}

/**
 * Switches an empty document to standards mode. Its load event may fire again. `srcdoc` isn't used,
 * because the site's policy would then block every frame inside the document in Firefox.
 */
function giveDoctype(frame: Document): void {
  frame.open();
  frame.write("<!doctype html><title>Preview</title>");
  frame.close();
}

/** Copies a style sheet. Resolves once it has loaded or failed. */
function addSheet(frame: Document, sheet: Element): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const copy = frame.importNode(sheet, true);
  copy.addEventListener("load", () => resolve(), { once: true });
  copy.addEventListener("error", () => resolve(), { once: true });
  frame.head.append(copy);
  // A style element may have nothing to load.
  if (copy.tagName !== "LINK") resolve();
  return promise;
}

/**
 * Screen of a device, scaled to the available space. Its content is in a separate document, so that
 * media queries use the device's width.
 */
export function DeviceFrame({
  size: { widthPx, heightPx },
  title,
  children,
}: {
  size: PreviewSize;
  title: string;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [availablePx, setAvailablePx] = useState(widthPx);
  useEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setAvailablePx(entry.contentRect.width);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let dressed: Document | null = null;
    // Some browsers replace the empty document once the frame has loaded.
    const prepare = () => {
      const page = element.contentDocument;
      if (page === null || page === dressed) return;
      dressed = page;
      giveDoctype(page);
      void dress(page).then(() => setBody(page.body));
    };
    prepare();
    element.addEventListener("load", prepare);
    return () => element.removeEventListener("load", prepare);
  }, []);
  const scale = Math.min(1, availablePx / widthPx, maxHeightPx / heightPx);

  return (
    <div ref={box} className="min-w-0 overflow-hidden">
      <div
        className="mx-auto overflow-hidden rounded-md border border-line"
        style={{ width: widthPx * scale, height: heightPx * scale }}
      >
        {/* Contains only our own document. The ad's code runs in a sandboxed frame inside it. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          ref={frame}
          title={title}
          className="origin-top-left border-0"
          style={{ width: widthPx, height: heightPx, transform: `scale(${scale})` }}
        />
      </div>
      {body === null ? null : createPortal(children, body)}
    </div>
  );
}
