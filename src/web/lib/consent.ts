import { useSyncExternalStore } from "react";
import { consentCookie, parseConsent, type Consent } from "#contract/visitors/consent.ts";

/** Half a year, after which the banner appears again. */
const keptS = 180 * 86_400;
const listeners = new Set<() => void>();

/** Returns this visitor's choice. Null before a choice and on the server. */
export function readConsent(): Consent | null {
  const prefix = `${consentCookie}=`;
  const stored = document.cookie.split("; ").find((entry) => entry.startsWith(prefix));
  return parseConsent(stored?.slice(prefix.length));
}

/**
 * Saves the choice. Reloads the page if consent was withdrawn, because running scripts can't be
 * stopped.
 */
export function saveConsent(consent: Consent): void {
  const isWithdrawn = readConsent() === "yes" && consent === "no";
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${consentCookie}=${consent}; path=/; max-age=${keptS}; samesite=lax${secure}`;
  // Updates the space of slots whose ads all require consent.
  document.documentElement.dataset["consent"] = consent;
  for (const listener of [...listeners]) listener();
  if (isWithdrawn) window.location.reload();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConsent(): Consent | null {
  return useSyncExternalStore(subscribe, readConsent, () => null);
}
