import { limits } from "#contract/limits.ts";
import { shorten } from "#contract/text.ts";
import type { PublicSettings } from "#contract/site/settings.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";

/** Number of characters that launchers show below an icon. */
const shortNameLength = 12;

/** Shortens a name without an ellipsis, because launchers add their own. */
const shortName = (name: string) => shorten(name, shortNameLength + 1).replace(/…$/, "");

/** Returns the W3C Web Application Manifest that lets browsers install the site as an app. */
export function webManifest(
  settings: Pick<PublicSettings, "siteName" | "siteDescription" | "language">,
) {
  const name = settings.siteName ?? limits.defaultSiteName;
  const { app } = visitorTexts(settings.language);
  return {
    id: "/",
    lang: settings.language,
    dir: directionOf(settings.language),
    name,
    short_name: shortName(name),
    ...(settings.siteDescription === null ? {} : { description: settings.siteDescription }),
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#0d0e12",
    theme_color: "#0d0e12",
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      {
        src: "/icon-maskable-512.png",
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
    shortcuts: [
      { name: app.feed, url: "/feed" },
      { name: app.search, url: "/search" },
      { name: app.favorites, url: "/favorites" },
    ],
  };
}
