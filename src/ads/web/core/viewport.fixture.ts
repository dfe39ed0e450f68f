import { vi } from "vitest";

/** Replaces IntersectionObserver, which happy-dom lacks, since it has no layout. */
export function fakeViewport(): {
  /** Reports to all observers of the element how much of it is in view, 0 to 1. */
  show(element: Element, ratio: number): void;
  isObserved(element: Element): boolean;
} {
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
    show(element, ratio) {
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
