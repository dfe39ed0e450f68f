import { formatDuration } from "#web/lib/format/format.ts";
import { limits } from "#contract/limits.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { sponsoredLink } from "../core/sponsored-link.ts";
import { createElement } from "../core/create-element.ts";

const adLabel = inLanguage("adLabel");
const messages = inLanguage("ads");

interface AdControlsOptions {
  adId: string;
  /** Null for an ad without a link. */
  linkUrl: string | null;
  /** Called before the link is followed. May return another URL to follow. */
  onFollow(): string | null;
  /** Null for an ad that cannot be skipped. */
  onSkip: (() => void) | null;
  /** Null for an ad without sound. */
  sound: Sound | null;
  /** True if the whole ad is a link, false if only the button is. */
  linksWholeAd: boolean;
}

interface Sound {
  isMuted: boolean;
  onChange(isMuted: boolean): void;
}

export function createAdControls(options: AdControlsOptions) {
  const { adId, linkUrl, onFollow, onSkip, sound, linksWholeAd } = options;
  const time = createElement("span", "spot-break-time");
  const about = createAboutButton(adId);
  const label = createElement("div", "spot-break-label", adLabel.label, time, about);
  const skip = createElement("button", "spot-break-skip");
  skip.type = "button";
  if (onSkip !== null) skip.addEventListener("click", () => onSkip());
  const progress = createElement("div", "spot-break-progress");
  const root = createElement("div", "spot-break-controls");

  const createLink = (className: string, ...children: string[]) => {
    const link = createElement("a", className, ...children);
    // oxlint-disable-next-line kinora/page-path -- The advertiser's address.
    link.href = linkUrl ?? "";
    link.target = sponsoredLink.target;
    link.rel = sponsoredLink.rel;
    link.referrerPolicy = sponsoredLink.referrerPolicy;
    const follow = () => {
      const url = onFollow();
      // oxlint-disable-next-line kinora/page-path -- The advertiser's address.
      if (url !== null) link.href = url;
    };
    link.addEventListener("click", follow);
    link.addEventListener("auxclick", (event) => event.button === 1 && follow());
    return link;
  };
  if (linkUrl !== null && linksWholeAd) {
    const link = createLink("spot-break-link");
    // The button is the same link for keyboards and screen readers.
    link.tabIndex = -1;
    link.ariaHidden = "true";
    root.append(link);
  }
  const start = createElement("div", "spot-break-corner spot-break-start");
  const mute = sound === null ? null : createMuteButton(sound);
  if (mute !== null) start.append(mute.button);
  if (linkUrl !== null) start.append(createLink("spot-break-visit", messages.visit));
  const end = createElement("div", "spot-break-corner spot-break-end");
  if (onSkip !== null) end.append(skip);
  root.append(label, start, end, progress);

  return {
    root,
    /** Updates the sound button. */
    showMuted: (isMuted: boolean): void => mute?.showMuted(isMuted),
    /** `leftS` is null while the end is unknown. */
    setTimes(times: Pick<AdTimes, "skipInS" | "progress"> & { leftS: number | null }): void {
      const skipInS = Math.ceil(times.skipInS);
      setText(skip, skipInS > 0 ? messages.skipIn(skipInS) : messages.skip);
      skip.disabled = skipInS > 0;
      setText(time, times.leftS === null ? "" : ` · ${formatDuration(Math.ceil(times.leftS))}`);
      progress.style.transform = `scaleX(${Math.min(1, Math.max(0, times.progress))})`;
    },
  };
}

/** Sets a text only if it changed, so that screen readers don't announce it again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Creates the button that can hide the ad. A hidden ad keeps playing, but later lists don't contain
 * it.
 */
function createAboutButton(adId: string): HTMLElement {
  const button = createElement("button", "spot-break-about", createIcon(infoPath));
  button.type = "button";
  button.ariaLabel = messages.about;
  button.ariaHasPopup = "dialog";
  button.addEventListener("click", () => {
    import("../core/about-ad-dialog.ts")
      .then(({ openAboutAd }) => openAboutAd(adId))
      .catch((error: unknown) => console.warn("the dialog about an ad did not load", error));
  });
  return button;
}

function createIcon(d: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}

const infoPath = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5M12 8v.01";
const speakerPath = "M12 4.5 7 9H3v6h4l5 4.5z";
const iconPaths = {
  on: `${speakerPath}M16 9a4.5 4.5 0 0 1 0 6M19 6a9 9 0 0 1 0 12`,
  off: `${speakerPath}m10 5-6 5m0-5 6 5`,
};

function createMuteButton(sound: Sound) {
  const button = createElement("button", "spot-break-sound");
  button.type = "button";
  let isMuted = false;
  const showMuted = (value: boolean) => {
    isMuted = value;
    button.replaceChildren(createIcon(isMuted ? iconPaths.off : iconPaths.on));
    button.ariaLabel = isMuted ? messages.unmute : messages.mute;
  };
  button.addEventListener("click", () => {
    showMuted(!isMuted);
    sound.onChange(isMuted);
  });
  showMuted(sound.isMuted);
  return { button, showMuted };
}

interface AdTimes {
  /** Seconds until the ad can be skipped. 0 or less if it can be skipped now. */
  skipInS: number;
  /** Seconds until the ad ends. */
  leftS: number;
  /** Elapsed share of the ad, from 0 to 1. */
  progress: number;
  /** True once the maximum time of an ad has passed. */
  isCutOff: boolean;
}

interface AdPosition {
  /** Seconds since the ad became visible. */
  shownS: number;
  /** True for a bumper, which is shorter and can't be skipped. */
  isBumper?: boolean;
  /** Position of a video. Other ads follow the clock. */
  media?: {
    positionS: number;
    /** Measured duration. Null while unknown. */
    durationS: number | null;
    /** Skip offset of the VAST ad in media time. Null if it has none. */
    skipAtS: number | null;
  };
}

/**
 * Computes an ad's countdowns. It can be skipped after 5 s or at its VAST offset and ends after 15
 * s. A bumper ends after 6 s.
 */
export function adTimes({ shownS, isBumper = false, media }: AdPosition): AdTimes {
  const { adSkipAfterS, adAutoCompleteS, adBumperS } = limits;
  const maxS = isBumper ? adBumperS : adAutoCompleteS;
  const positionS = media?.positionS ?? shownS;
  const lengthS = Math.min(media?.durationS ?? maxS, maxS);
  const leftS = Math.max(0, Math.min(lengthS - positionS, maxS - shownS));
  const skipAtS = media?.skipAtS ?? null;
  return {
    skipInS: skipAtS === null ? adSkipAfterS - shownS : Math.min(skipAtS, maxS) - positionS,
    leftS,
    progress: lengthS > 0 ? 1 - leftS / lengthS : 0,
    isCutOff: shownS >= maxS,
  };
}
