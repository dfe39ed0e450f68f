import type { PublicAd } from "../../../../contract/ads.ts";
import { limits } from "../../../../contract/limits.ts";
import type { AdOutcome, AdStage } from "../../player/core/ads/ad-provider.ts";
import { reportSpot, type Display } from "../api/report-spot.ts";
import { frameSandbox, listenToFrame } from "../core/frame-messages.ts";
import { openLink } from "../core/open-link.ts";
import { mountTrustedHtml } from "../core/trusted-html.ts";
import { watchViewable } from "../core/watch-viewable.ts";
import { createChrome, make } from "./break-chrome.ts";
import type { Creative } from "./create-break.ts";

interface Still {
  ad: PublicAd;
  display: Display;
  creative: Exclude<Creative, { kind: "film" }>;
}

const tickMs = 200;
/** In a break anything must be looked at as long as a film to count as seen. */
const viewableMs = 2000;

/** A picture, words or HTML: shown for as long as a film may last, or until it is skipped. */
export function playStill({ ad, display, creative }: Still, stage: AdStage): Promise<AdOutcome> {
  return new Promise((resolve) => {
    const life = new AbortController();
    let shownAtMs: number | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;

    const end = (outcome: AdOutcome) => {
      if (life.signal.aborted) return;
      life.abort();
      clearInterval(timer);
      if (outcome === "completed") reportSpot(display, "complete");
      if (outcome === "skipped") reportSpot(display, "skip");
      root.remove();
      resolve(outcome);
    };
    const click = () => reportSpot(display, "click");
    const chrome = createChrome({
      linkUrl: ad.linkUrl,
      onFollow: () => {
        click();
        return null;
      },
      onSkip: () => end("skipped"),
      sound: null,
      isPictureLink: creative.kind === "card",
    });
    const root = make("div", "spot-break");
    root.dataset.kind = creative.kind;

    const tick = () => {
      const shownS = shownAtMs === null ? 0 : (performance.now() - shownAtMs) / 1000;
      chrome.setTime(limits.adSkipAfterS - shownS, limits.adAutoCompleteS - shownS);
      chrome.setShare(shownS / limits.adAutoCompleteS);
      if (shownS >= limits.adAutoCompleteS) end("completed");
    };
    const show = () => {
      if (shownAtMs !== null || life.signal.aborted) return;
      shownAtMs = performance.now();
      stage.onVisible();
      reportSpot(display, "impression");
      reportSpot(display, "start");
      timer = setInterval(tick, tickMs);
      const stop = watchViewable(root, viewableMs, () => reportSpot(display, "viewable"));
      life.signal.addEventListener("abort", stop, { once: true });
      tick();
    };

    stage.signal.addEventListener("abort", () => end("failed"), { once: true });
    if (stage.signal.aborted) return end("failed");
    const body =
      creative.kind === "html"
        ? drawHtml(ad, creative.content, { show, click, signal: life.signal })
        : drawCard(ad, creative.imageUrl, show);
    root.append(body, chrome.root);
    chrome.setTime(limits.adSkipAfterS, null);
    stage.container.append(root);
    return undefined;
  });
}

/** The picture where there is one, the title where there is none or it does not load. */
function drawCard(ad: PublicAd, imageUrl: string | null, show: () => void): HTMLElement {
  const words = make("div", "spot-break-words", make("p", "spot-break-title", ad.title));
  if (ad.description !== null) words.append(make("p", "spot-break-text", ad.description));
  const box = make("div", "spot-break-card");
  if (imageUrl === null) {
    box.append(words);
    // After the caller has put everything together.
    queueMicrotask(show);
    return box;
  }
  const image = make("img", "spot-break-image");
  image.alt = ad.title;
  image.referrerPolicy = "no-referrer";
  image.addEventListener("load", show, { once: true });
  image.addEventListener(
    "error",
    () => {
      image.replaceWith(words);
      show();
    },
    { once: true },
  );
  image.src = imageUrl;
  box.append(image);
  return box;
}

interface HtmlHooks {
  show: () => void;
  click: () => void;
  signal: AbortSignal;
}

function drawHtml(ad: PublicAd, content: string, { show, click, signal }: HtmlHooks): HTMLElement {
  if (ad.trust === "page") {
    const box = make("div", "spot-break-html");
    box.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a[href]") !== null) click();
    });
    queueMicrotask(() => {
      void mountTrustedHtml(box, content, ad.id, signal);
      show();
    });
    return box;
  }
  const frame = make("iframe", "spot-break-html spot-break-frame");
  frame.title = ad.title;
  frame.setAttribute("sandbox", frameSandbox);
  frame.referrerPolicy = "no-referrer";
  const stop = listenToFrame(frame, (message) => {
    if (message.kind === "size" || message.kind === "load") show();
    else if (message.kind === "follow") click();
    else if (message.kind === "press" && ad.linkUrl !== null) {
      click();
      openLink(ad.linkUrl);
    }
  });
  signal.addEventListener("abort", stop, { once: true });
  frame.src = `/spots/frame/${ad.id}`;
  return frame;
}
