import { useSyncExternalStore } from "react";
import { themeKey } from "./device-storage.ts";

/** `system` follows `prefers-color-scheme`. */
export type Theme = "system" | "dark" | "light";

const listeners = new Set<() => void>();

export function isChosenTheme(theme: unknown): theme is "dark" | "light" {
  return theme === "dark" || theme === "light";
}

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return isChosenTheme(theme) ? theme : "system";
}

export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, theme);
  } catch {
    // Storage is off, so the choice only applies to this page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore<Theme>(subscribe, currentTheme, () => "system");
}
