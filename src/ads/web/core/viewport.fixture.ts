import { vi } from "vitest";

/** Replaces IntersectionObserver and hit tests, because happy-dom has no layout. */
export function fakeViewport(): {
  /** Reports to all observers of the element how much of it is in view, 0 to 1. */
  show(element: Element, ratio: number): void;
  isObserved(element: Element): boolean;
  /** Covers this many of the nine points of each element. */
  cover(points: number): void;
} {
  /** Elements shown so far, each at a different position. */
  const placed: Element[] = [];
  const gapPx = 1000;
  const sizePx = 300;
  let covered = 0;
  document.elementFromPoint = (x, y) => {
    const column = Math.floor(((x % gapPx) / sizePx) * 3);
    const point = column * 3 + Math.floor((y / sizePx) * 3);
    return point < covered ? null : (placed[Math.floor(x / gapPx)] ?? null);
  };
  const observers = new Set<{ callback: IntersectionObserverCallback; elements: Set<Element> }>();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly entry = {
        callback: (() => {}) as IntersectionObserverCallback,
        elements: new Set<Element>(),
      };
      constructor(callback: IntersectionObserverCallback) {
        this.entry.callback = callback;
        observers.add(this.entry);
      }
      observe(element: Element) {
        this.entry.elements.add(element);
      }
      disconnect() {
        observers.delete(this.entry);
      }
    },
  );
  return {
    cover(points) {
      covered = points;
    },
    show(element, ratio) {
      if (!Object.hasOwn(element, "getBoundingClientRect")) {
        const left = placed.push(element) * gapPx - gapPx;
        element.getBoundingClientRect = () => new DOMRect(left, 0, sizePx, sizePx);
      }
      for (const { callback, elements } of observers) {
        if (!elements.has(element)) continue;
        const change = { target: element, intersectionRatio: ratio, isIntersecting: ratio > 0 };
        // The code under test reads these three fields only.
        Reflect.apply(callback, undefined, [[change]]);
      }
    },
    isObserved: (element) => [...observers].some(({ elements }) => elements.has(element)),
  };
}
