import { conditionLimitMs } from "./driver-limits.ts";
import type { ElementTarget } from "./engine-page.ts";

/** Functions that run inside pages. They must not use anything else in this module. */

/** Finds an element that a pointer can reach and scrolls it into view. Null while there is none. */
export function findReachable(css: string, name: string | null): Element | null {
  const nameOf = (element: Element) => {
    const isField = element.matches("input, textarea, select");
    const labels = isField ? [...((element as HTMLInputElement).labels ?? [])] : [];
    const text = labels.length > 0 ? labels.map((label) => label.textContent).join(" ") : null;
    // The asterisk of a required field is hidden from screen readers.
    return (element.getAttribute("aria-label") ?? text ?? element.textContent ?? "")
      .replaceAll(/\s+/g, " ")
      .trim()
      .replace(/ \*$/, "");
  };
  const found = [...document.querySelectorAll(css)].filter(
    (element) =>
      (name === null || nameOf(element) === name) &&
      !element.matches(":disabled") &&
      element.checkVisibility({ visibilityProperty: true }),
  );
  for (const element of found) {
    const before = element.getBoundingClientRect();
    if (before.top < 0 || before.bottom > innerHeight) {
      element.scrollIntoView({ block: "center", behavior: "instant" });
    }
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    if (hit !== null && (element.contains(hit) || hit.contains(element))) return element;
  }
  return null;
}

/** Explains why `findReachable` found nothing. */
export function explainMissing(css: string): string {
  const found = [...document.querySelectorAll(css)].slice(0, 5).map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const box = [left, top, width, height].map(Math.round).join(",");
    return `${element.outerHTML.slice(0, 120)} at ${box} under ${hit?.outerHTML.slice(0, 80)}`;
  });
  return `${location.href}: ${found.length === 0 ? "no such element" : found.join("; ")}`;
}

/** Reports CSP violations as errors, because some engines only write them to their own console. */
export function reportViolations(): void {
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    console.error(`CSP violation: ${violatedDirective} ${blockedURI}`);
  });
}

/** Switches off autoplay of the next video, so that a test's page stays open. */
export function keepVideo(): void {
  if (window.origin === "null" || localStorage.getItem("kinora.player") !== null) return;
  localStorage.setItem("kinora.player", JSON.stringify({ isNextWanted: false }));
}

export const targetOf = (element: ElementTarget): [css: string, name: string | null] =>
  typeof element === "string" ? [element, null] : [element.css, element.name];

/** Calls `attempt` until it returns something. Throws `explain()` after a time limit. */
export async function retry<T>(
  attempt: () => Promise<T | null | undefined | false>,
  explain: () => Promise<string>,
  timeoutMs = conditionLimitMs,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const result = await attempt();
    if (result !== null && result !== undefined && result !== false) return result;
    if (Date.now() > until) throw new Error(await explain());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
