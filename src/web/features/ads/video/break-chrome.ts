import { formatDuration } from "../../../lib/format.ts";
import { sponsoredLink } from "../core/open-link.ts";
import { spotMessages as messages } from "../messages.ts";

/** What stands over an ad in the player: its label, what is left, the way on and the way out. */
export interface BreakChrome {
  root: HTMLElement;
  /** Seconds until it can be skipped, and until it ends (null while unknown). */
  setTime(skipInS: number, leftS: number | null): void;
  /** Share of the ad that is over, 0 to 1. */
  setShare(share: number): void;
}

interface ChromeOptions {
  /** Null for an ad that leads nowhere. */
  linkUrl: string | null;
  /** Called when the link is about to be followed; may answer the address to follow. */
  onFollow(): string | null;
  onSkip(): void;
  /** Null for an ad without sound. */
  sound: { isMuted: boolean; onChange(isMuted: boolean): void } | null;
  /** Whether the whole picture is a link, or only the button. */
  isPictureLink: boolean;
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.className = className;
  element.append(...children);
  return element;
}

export function createChrome(options: ChromeOptions): BreakChrome {
  const { linkUrl, onFollow, onSkip, sound, isPictureLink } = options;
  const left = make("span", "spot-break-left");
  const label = make("p", "spot-break-label", messages.label, left);
  const skip = make("button", "spot-break-skip");
  skip.type = "button";
  skip.addEventListener("click", () => onSkip());
  const share = make("div", "spot-break-share");
  const root = make("div", "spot-break-chrome");

  const link = (className: string, ...children: string[]) => {
    const element = make("a", className, ...children);
    element.href = linkUrl ?? "";
    element.target = sponsoredLink.target;
    element.rel = sponsoredLink.rel;
    element.referrerPolicy = sponsoredLink.referrerPolicy;
    const follow = () => {
      const address = onFollow();
      if (address !== null) element.href = address;
    };
    element.addEventListener("click", follow);
    element.addEventListener("auxclick", (event) => event.button === 1 && follow());
    return element;
  };
  if (linkUrl !== null && isPictureLink) {
    const whole = link("spot-break-whole");
    // The button says the same to keyboards and screen readers.
    whole.tabIndex = -1;
    whole.ariaHidden = "true";
    root.append(whole);
  }
  const start = make("div", "spot-break-corner spot-break-start");
  if (sound !== null) start.append(createMute(sound));
  if (linkUrl !== null) start.append(link("spot-break-visit", messages.visit));
  root.append(label, start, make("div", "spot-break-corner spot-break-end", skip), share);

  return {
    root,
    setTime(skipInS, leftS) {
      const whole = Math.ceil(skipInS);
      const text = whole > 0 ? messages.skipIn(whole) : messages.skip;
      if (skip.textContent !== text) skip.textContent = text;
      skip.disabled = whole > 0;
      const time = leftS === null ? "" : ` · ${formatDuration(Math.ceil(leftS))}`;
      if (left.textContent !== time) left.textContent = time;
    },
    setShare(value) {
      share.style.transform = `scaleX(${Math.min(1, Math.max(0, value))})`;
    },
  };
}

const soundPath =
  "M11 4.7a.7.7 0 0 0-1.2-.5L6.4 7.6A1.4 1.4 0 0 1 5.4 8H3a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2.4a1.4 1.4 0 0 1 1 .4l3.4 3.4a.7.7 0 0 0 1.2-.5z";
const paths = {
  on: `${soundPath}M16 9a5 5 0 0 1 0 6M19.4 18.4a9 9 0 0 0 0-12.7`,
  off: `${soundPath}M22 9l-6 6M16 9l6 6`,
};

function createMute(sound: { isMuted: boolean; onChange(isMuted: boolean): void }): HTMLElement {
  const button = make("button", "spot-break-sound");
  button.type = "button";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  button.append(svg);
  let { isMuted } = sound;
  const draw = () => {
    path.setAttribute("d", isMuted ? paths.off : paths.on);
    button.ariaLabel = isMuted ? messages.unmute : messages.mute;
  };
  button.addEventListener("click", () => {
    isMuted = !isMuted;
    draw();
    sound.onChange(isMuted);
  });
  draw();
  return button;
}
