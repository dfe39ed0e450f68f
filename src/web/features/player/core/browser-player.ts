import { createPreferenceStore } from "./memory/preferences.ts";

/** Shared by all players of this page. */
export const preferences = createPreferenceStore();

export function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
