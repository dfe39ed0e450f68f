import { frameSandbox, supportsColorScheme } from "../../contract/ad-frame.ts";
import type { PublicAd } from "../../contract/ads.ts";
import type { AdOutcome, AdStage } from "#web/features/player/core/ads/ad-provider.ts";
import { reportAdEvent } from "../api/report-ad-event.ts";
import { listenToFrame } from "../core/frame-messages.ts";
import { mountTrustedHtml } from "../core/trusted-html.ts";
import { createAdControls, adTimes } from "./ad-controls.ts";
import { createAdSession } from "./ad-session.ts";
import { createElement } from "../core/create-element.ts";
import type { PreparedAd, StaticCreative } from "./creative.ts";

/** Shows an image, texts or HTML for the maximum time of a video ad, or until skipped. */
export function playStaticAd(
  { ad, impression, creative }: PreparedAd<StaticCreative>,
  stage: AdStage,
): Promise<AdOutcome> {
  const { isBumper } = ad;
  const session = createAdSession(stage, impression, {
    onTick(shownS) {
      const times = adTimes({ shownS, isBumper });
      controls.setTimes(times);
      if (times.isCutOff) session.end("completed");
    },
    onEnd(outcome) {
      if (outcome === "skipped") reportAdEvent(impression, "skip");
    },
  });
  const countClick = () => {
    reportAdEvent(impression, "click");
    session.follow();
  };
  const controls = createAdControls({
    adId: ad.id,
    linkUrl: ad.linkUrl,
    onFollow() {
      countClick();
      return null;
    },
    onSkip: isBumper ? null : () => session.end("skipped"),
    sound: null,
    linksWholeAd: creative.kind === "card",
  });
  controls.setTimes({ ...adTimes({ shownS: 0, isBumper }), leftS: null });

  const { show, signal } = session;
  const body =
    creative.kind === "html"
      ? createHtml(ad, creative.content, { show, countClick, signal })
      : createCard(ad, creative.imageUrl, show);
  const root = createElement("div", "spot-break", body, controls.root);
  root.dataset.kind = creative.kind;
  session.mount(root);
  return session.ended;
}

/** Creates the image, or the ad's texts if there is none or it fails to load. */
function createCard(ad: PublicAd, imageUrl: string | null, show: () => void): HTMLElement {
  const copy = createElement(
    "div",
    "spot-break-copy",
    createElement("p", "spot-break-title", ad.title),
  );
  if (ad.description !== null) copy.append(createElement("p", "spot-break-text", ad.description));
  const box = createElement("div", "spot-break-card");
  if (imageUrl === null) {
    box.append(copy);
    // Runs after the caller has mounted the box.
    queueMicrotask(show);
    return box;
  }
  const image = createElement("img", "spot-break-image");
  image.alt = ad.title;
  image.referrerPolicy = "no-referrer";
  image.addEventListener("load", show, { once: true });
  image.addEventListener(
    "error",
    () => {
      image.replaceWith(copy);
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
  countClick: () => void;
  signal: AbortSignal;
}

function createHtml(
  ad: PublicAd,
  content: string,
  { show, countClick, signal }: HtmlHooks,
): HTMLElement {
  if (ad.trust === "page") {
    const box = createElement("div", "spot-break-html");
    box.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("a[href]") !== null) countClick();
    });
    queueMicrotask(() => {
      void mountTrustedHtml(box, content, ad.id, signal);
      show();
    });
    return box;
  }
  // The next lines sandbox the frame.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  const frame = createElement("iframe", "spot-break-html spot-break-frame");
  frame.title = ad.title;
  frame.setAttribute("sandbox", frameSandbox);
  frame.referrerPolicy = "no-referrer";
  if (supportsColorScheme(content)) frame.dataset.scheme = "";
  let tallestPx = 0;
  const stop = listenToFrame(frame, {
    onClick: countClick,
    onSize({ heightPx }) {
      if (heightPx <= tallestPx) return;
      tallestPx = heightPx;
      frame.style.setProperty("--content-height", `${heightPx}px`);
    },
  });
  frame.addEventListener("load", show, { once: true });
  signal.addEventListener("abort", stop, { once: true });
  frame.src = `/spots/frame/${ad.id}`;
  return frame;
}
