import { useSyncExternalStore } from "react";
import { themeKey, writeStored } from "./device-storage.ts";

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

/** Gives the browser's own bars the color of this theme. */
export function colorBars(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const own = meta.dataset["theme"];
    const isChosen = own === theme ? "all" : "not all";
    meta.media = theme === "system" ? `(prefers-color-scheme: ${own})` : isChosen;
  }
}

export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  colorBars(theme);
  // Without storage, the choice only applies to this page.
  writeStored(themeKey, theme === "system" ? null : theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore<Theme>(subscribe, currentTheme, () => "system");
}
