// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "enableIframePageLoading": true } }
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { publicAd } from "../core/public-ad.fixture.ts";
import { AllowsTrustedAds } from "../core/slot-state.ts";
import { AdCreative, IsolatedFrame } from "./ad-creative.tsx";

const onClick = vi.fn();
const open = vi.fn();

beforeEach(() => {
  onClick.mockReset();
  open.mockReset();
  vi.stubGlobal("open", open);
  // No requests: happy-dom loads an empty document instead of the ad's. It has no layout either.
  vi.spyOn(HTMLIFrameElement.prototype, "src", "get").mockReturnValue("about:blank");
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(300);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    return Number.parseInt(this.style.height, 10) || 250;
  });
});
afterEach(() => vi.unstubAllGlobals());

function renderFrame(values: Parameters<typeof publicAd>[0], canGrow = true) {
  const { container } = render(
    <div className="spot-space">
      <IsolatedFrame ad={publicAd(values)} canGrow={canGrow} onClick={onClick} />
    </div>,
  );
  const frame = container.querySelector("iframe");
  const space = container.querySelector<HTMLElement>(".spot-space");
  if (frame === null || space === null) throw new Error("no frame");
  Object.defineProperty(frame, "contentWindow", { value: new EventTarget() });
  const send = (data: object) =>
    act(() => {
      const event = new MessageEvent("message", { data });
      Object.defineProperty(event, "source", { value: frame.contentWindow });
      window.dispatchEvent(event);
    });
  return { frame, space, send };
}

test("sandboxes the frame", () => {
  const { frame } = renderFrame({ content: "<p>x</p>" });
  expect(frame.getAttribute("sandbox")).toBe(
    "allow-scripts allow-popups allow-popups-to-escape-sandbox",
  );
});

test("grows with the first reported height, up to 600 px", () => {
  const { space, send } = renderFrame({});
  send({ spot: "size", heightPx: 400, widthPx: 300 });
  expect(space.style.height).toBe("400px");
  send({ spot: "size", heightPx: 500, widthPx: 300 });
  expect(space.style.height).toBe("400px");

  const tall = renderFrame({ id: "tall" });
  tall.send({ spot: "size", heightPx: 1e9, widthPx: 300 });
  expect(tall.space.style.height).toBe("600px");
});

test("is as tall as its content, and grows with it up to the space", () => {
  const { frame, space, send } = renderFrame({});
  expect(frame.style.height).toBe("");
  send({ spot: "size", heightPx: 60, widthPx: 300 });
  expect([frame.style.height, space.style.height]).toEqual(["60px", ""]);
  // Its pictures have loaded.
  send({ spot: "size", heightPx: 120, widthPx: 300 });
  expect(frame.style.height).toBe("120px");
  send({ spot: "size", heightPx: 900, widthPx: 300 });
  expect([frame.style.height, space.style.height]).toEqual(["250px", ""]);
});

test("hands the page's color scheme to ads that support it", () => {
  const schemeOf = (content: string) => renderFrame({ content }).frame.dataset["scheme"];
  expect(schemeOf("<p>x</p>")).toBeUndefined();
  expect(schemeOf('<meta name="color-scheme" content="light dark"><p>x</p>')).toBe("");
});

test("scales the ad down in a fixed space or with a declared size", () => {
  const fixed = renderFrame({}, false);
  fixed.send({ spot: "size", heightPx: 500, widthPx: 300 });
  expect(fixed.space.style.height).toBe("");
  expect(fixed.frame.style.transform).toContain("scale(0.5)");

  const declared = renderFrame({ id: "declared", widthPx: 600, heightPx: 100 });
  expect(declared.frame.style.width).toBe("600px");
  expect(declared.frame.style.transform).toContain("scale(0.5)");
});

test("ignores messages from the ad and counts a gesture in it as one click", () => {
  const { frame, send } = renderFrame({ linkUrl: "https://shop.test/" });
  for (const spot of ["click", "follow", "press", "load", "click"]) send({ spot });
  Object.defineProperty(navigator, "userActivation", {
    configurable: true,
    value: { hasBeenActive: true, isActive: true },
  });
  // The gesture was elsewhere in the page.
  send({ spot: "click" });
  expect(onClick).not.toHaveBeenCalled();

  vi.spyOn(document, "activeElement", "get").mockReturnValue(frame);
  send({ spot: "click" });
  send({ spot: "click" });
  expect(onClick).toHaveBeenCalledTimes(1);
  // The frame opens the link, because only its own document has the required gesture.
  expect(open).not.toHaveBeenCalled();
});

test("opens a trusted ad's links in new tabs, and leaves # links to its scripts", () => {
  const content = `<a href="#">details</a> <a href="javascript:buy()">offer</a>
    <a href="https://shop.test/">shop</a>`;
  render(
    <AllowsTrustedAds value>
      <AdCreative ad={publicAd({ content, trust: "page" })} canGrow onClick={onClick} />
    </AllowsTrustedAds>,
  );
  const prevented: boolean[] = [];
  const look = (event: Event) => {
    prevented.push(event.defaultPrevented);
    event.preventDefault();
  };
  document.addEventListener("click", look);
  onTestFinished(() => document.removeEventListener("click", look));
  const targets = ["details", "offer", "shop"].map((text) => {
    const link = screen.getByText(text);
    fireEvent.click(link);
    return link.getAttribute("target");
  });
  expect(targets).toEqual([null, null, "_blank"]);
  expect(prevented).toEqual([true, false, false]);
  expect(onClick).toHaveBeenCalledTimes(3);
});

test("shows another ad in a new frame, which adds no entry to the history", () => {
  const frameOf = (id: string) => (
    <IsolatedFrame ad={publicAd({ id, content: "<p>x</p>" })} canGrow onClick={onClick} />
  );
  const { container, rerender } = render(frameOf("ad-1"));
  const first = container.querySelector("iframe");
  rerender(frameOf("ad-1"));
  expect(container.querySelector("iframe")).toBe(first);
  rerender(frameOf("ad-2"));
  const second = container.querySelector("iframe");
  expect(second).not.toBe(first);
  expect(second?.getAttribute("src")).toBe("/spots/frame/ad-2");
});
