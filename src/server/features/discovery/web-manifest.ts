import { limits } from "#contract/limits.ts";
import type { PublicSettings } from "#contract/site/settings.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";

/** Number of characters that launchers show below an icon. */
const shortNameLength = 12;

/** Returns as many whole words as fit. Cuts a single word that is too long. */
function shortName(name: string): string {
  const start = `${name} `.slice(0, shortNameLength + 1);
  const end = start.lastIndexOf(" ");
  return (end > 0 ? start.slice(0, end) : start.slice(0, shortNameLength)).trim();
}

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
