import { createPreferenceStore } from "./memory/preferences.ts";
import { createResumePoints } from "./memory/resume-points.ts";

/** One memory for all players of this page. */
export const preferences = createPreferenceStore(() => window.localStorage);
export const resumePoints = createResumePoints(() => window.localStorage);

/** The visitor asked for less data, or the connection is slow. */
export function isSavingData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  if (typeof connection !== "object" || connection === null) return false;
  if (Reflect.get(connection, "saveData") === true) return true;
  const kind: unknown = Reflect.get(connection, "effectiveType");
  return kind === "slow-2g" || kind === "2g" || kind === "3g";
}

export function prefersReducedMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
