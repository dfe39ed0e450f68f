import { useQuery } from "@tanstack/react-query";
import {
  ExternalLinkIcon,
  FilmIcon,
  LogOutIcon,
  SettingsIcon,
  SunMoonIcon,
  UploadIcon,
  type LucideIcon,
} from "lucide-react";
import { videoList } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { currentTheme, setTheme, type Theme } from "#web/lib/theme.ts";
import { adminCall } from "../shared/admin-api.ts";
import { findSections, settingsSections } from "../settings/settings-sections.ts";
import { sectionId } from "../shared/section.tsx";
import { useCan, type Can } from "../shared/admin-page.tsx";
import { namedPages } from "../admin-pages.ts";

export interface PaletteEntry {
  id: string;
  group: "Pages" | "Actions" | "Settings" | "Videos";
  label: string;
  Icon: LucideIcon;
  run: () => void;
}

interface Deps {
  go: (href: string) => void;
  upload: () => void;
  signOut: () => void;
}

const nextTheme: Record<Theme, Theme> = { system: "dark", dark: "light", light: "system" };
const maxVideos = 6;
/** Shorter queries match nearly every section. */
const minSettingsQuery = 3;

function fixedEntries({ go, upload, signOut }: Deps, can: Can): PaletteEntry[] {
  const theme = nextTheme[currentTheme()];
  return [
    ...namedPages
      .filter(({ needs }) => needs === undefined || can(needs))
      .map(({ href, label, Icon }) => ({
        id: href,
        group: "Pages" as const,
        label,
        Icon,
        run: () => go(href),
      })),
    ...(can("content.edit")
      ? [
          {
            id: "upload",
            group: "Actions" as const,
            label: "Upload video",
            Icon: UploadIcon,
            run: upload,
          },
        ]
      : []),
    {
      id: "failed",
      group: "Actions",
      label: "Show failed videos",
      Icon: FilmIcon,
      run: () => go("/admin/videos?state=failed"),
    },
    {
      id: "site",
      group: "Actions",
      label: "View site",
      Icon: ExternalLinkIcon,
      run: () => go("/home"),
    },
    {
      id: "theme",
      group: "Actions",
      label: `Theme: ${theme === "system" ? "automatic" : theme}`,
      Icon: SunMoonIcon,
      run: () => setTheme(theme),
    },
    { id: "sign-out", group: "Actions", label: "Sign out", Icon: LogOutIcon, run: signOut },
  ];
}

/**
 * Returns entries for settings sections whose headings, labels or hints contain the typed words.
 */
function settingsEntries(query: string, { go }: Deps, can: Can): PaletteEntry[] {
  if (query.length < minSettingsQuery || !can("settings.edit")) return [];
  return findSections(query)
    .flatMap((name) => settingsSections[name].titles)
    .map((title) => ({
      id: sectionId(title),
      group: "Settings" as const,
      label: title,
      Icon: SettingsIcon,
      run: () => go(`/admin/settings#${sectionId(title)}`),
    }));
}

/** Returns whether every word of the query is the start of a word in the label. */
export function matches(label: string, query: string): boolean {
  const words = label.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/**
 * Returns entries for the typed text: pages and actions immediately, videos once they are found.
 */
export function usePaletteEntries(query: string, quietQuery: string, deps: Deps): PaletteEntry[] {
  const can = useCan();
  const found = useQuery({
    queryKey: ["admin", "palette", quietQuery],
    queryFn: ({ signal }) =>
      adminCall(`/api/videos${queryString({ search: quietQuery, limit: maxVideos })}`, videoList, {
        signal,
      }),
    enabled: quietQuery !== "",
  });
  const fixed = fixedEntries(deps, can).filter(
    ({ label }) => query === "" || matches(label, query),
  );
  const videos = query === "" || quietQuery === "" ? [] : (found.data?.videos ?? []);
  return [
    ...fixed,
    ...settingsEntries(query, deps, can),
    ...videos.map((video) => ({
      id: video.id,
      group: "Videos" as const,
      label: video.title,
      Icon: FilmIcon,
      run: () => deps.go(`/admin/videos?edit=${video.id}`),
    })),
  ];
}
