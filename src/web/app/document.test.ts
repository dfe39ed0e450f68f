import { expect, test } from "vitest";
import type { PageAssets } from "#contract/site/page-render.ts";
import { standardTheme } from "#contract/site/theme.ts";
import { rootRouteId } from "#web/lib/page/site.ts";
import { documentHtml } from "./document.ts";
import { inlineScripts, placeVideoHtml } from "./first-frame/markup.ts";

const assets: PageAssets = {
  entry: "/entry.js",
  css: "/app.css",
  font: "/inter.woff2",
  textsOf: () => null,
  scriptsOf: () => ["/entry.js", "/page.js"],
};
const video = { src: "/f.mp4", attributes: { class: "player-media", "aria-label": '"A" & B' } };

function render(isOpenedByVideo: boolean, site = {}): string {
  return documentHtml({
    language: "en",
    ownTexts: null,
    followsVisitorLanguage: false,
    head: { title: "T" },
    body: isOpenedByVideo ? placeVideoHtml : "<p>text</p>",
    firstVideo: isOpenedByVideo ? video : null,
    data: "{}",
    site,
    theme: standardTheme,
    assets,
    modules: [],
  });
}

test("links the site's favicon for home screens, too, and none of the standard icons", () => {
  const site = { [rootRouteId]: { settings: { faviconUrl: "/media/a&b.png" } } };
  const links = render(false, site).match(/<link rel="[^"]*icon"[^>]*>/g);
  expect(links).toEqual([
    '<link rel="icon" href="/media/a&amp;b.png">',
    '<link rel="apple-touch-icon" href="/media/a&amp;b.png">',
  ]);
});

/** Returns the position of each part in the page. */
const positions = (html: string, parts: readonly string[]) =>
  parts.map((part) => html.indexOf(part));

test("requests a page's video before its styles and its scripts last", () => {
  const html = render(true);
  const found = positions(html, [
    'data-video="{&quot;src&quot;:&quot;/f.mp4&quot;',
    'href="/app.css"',
    placeVideoHtml,
    'data-scripts="{&quot;entry&quot;:&quot;/entry.js&quot;,&quot;preloads&quot;:[&quot;/page.js&quot;]}"',
  ]);
  expect(found).not.toContain(-1);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
  expect(html).toContain("\\&quot;A\\&quot; &amp; B");
  expect(html).not.toContain('type="module"');
  expect(html).not.toContain("/inter.woff2");
});

test("requests the font and scripts in the head of pages without a video", () => {
  const head = render(false).split("</head>")[0] ?? "";
  expect(head).toContain('href="/inter.woff2"');
  expect(head).toContain('<script type="module" fetchpriority="low" src="/entry.js">');
  expect(head).toContain('<link rel="modulepreload" fetchpriority="low" href="/page.js">');
  expect(head).not.toContain("data-video");
});

test.each([true, false])(
  "lists the hash of every inline script in the policy (opens with a video: %s)",
  (isOpenedByVideo) => {
    const texts = [...render(isOpenedByVideo).matchAll(/<script(?! type)[^>]*>([^]*?)<\/script>/g)];
    expect(texts.length).toBeGreaterThan(0);
    for (const [, text] of texts) expect(inlineScripts).toContain(text);
  },
);

test("loads each page's own scripts", () => {
  const scriptsOf = (modules: readonly string[]) => modules.map((name) => `/${name}.js`);
  const pageAssets = { ...assets, scriptsOf };
  const load = (...modules: string[]) =>
    documentHtml({
      language: "en",
      ownTexts: null,
      followsVisitorLanguage: false,
      head: { title: "T" },
      body: "",
      firstVideo: null,
      data: "{}",
      site: {},
      theme: standardTheme,
      assets: pageAssets,
      modules,
    });
  // Rendered twice, because the second page reuses the text of the first.
  for (const modules of [["a", "b"], ["b"], ["a", "b"], ["b"]]) {
    expect(load(...modules).match(/\/[ab]\.js/g)).toEqual(modules.map((name) => `/${name}.js`));
  }
});

test("overrides the design tokens of the operator's theme, and doesn't load a font that isn't used", () => {
  const html = documentHtml({
    language: "en",
    ownTexts: null,
    followsVisitorLanguage: false,
    head: { title: "T" },
    body: "",
    firstVideo: null,
    data: "{}",
    site: {},
    theme: { accentColor: "#c2410c", groundColor: "#fff4d6", cornerRadius: "none", font: "mono" },
    assets,
    modules: [],
  });
  expect(html).toContain("--color-lamp:#c2410c;");
  expect(html).toContain("--color-ink-1:light-dark(#fff4d6,");
  expect(html).toContain("--radius-lg:0px;--font-sans:ui-monospace,");
  expect(html).toContain(
    'data-theme="light" media="(prefers-color-scheme: light)" content="#fff4d6"',
  );
  expect(html).not.toContain("/inter.woff2");
});
