import { readFileSync, readdirSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** GitHub shows README.md for a folder, and VitePress shows index.md. */
const toIndex = (path) => path.replace(/(^|\/)README\.md/, "$1index.md");

/** Returns the sidebar group of a folder. The text of each page is its heading. */
function listPages(text, folder, collapsed) {
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith(".md"));
  const items = names.toSorted().map((name) => {
    const [, heading] = /^# (.*)$/m.exec(readFileSync(new URL(folder + name, root), "utf8"));
    return { text: heading, link: `/${toIndex(folder + name)}` };
  });
  return { text, items, collapsed };
}

/** Refuses links to folders and sources, because the site has only pages. */
function toSiteLink(link) {
  if (/^(\w+:|#)/.test(link) || /\.md(#|$)/.test(link)) return toIndex(link);
  throw new Error(`Links must lead to a page: ${link}`);
}

/** The site has all Markdown pages of the repository. `npm run docs` builds it. */
export default {
  title: "Kinora",
  description: "How to run, use and change Kinora",
  srcDir: "..",
  srcExclude: ["{data,dist,test}/**"],
  rewrites: toIndex,
  // The pages mention addresses of the reader's own site.
  ignoreDeadLinks: "localhostLinks",
  vite: { configFile: false },
  markdown: {
    config: ({ core }) =>
      core.ruler.push("readme", ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === "link_open") token.attrSet("href", toSiteLink(token.attrGet("href")));
        }
      }),
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: [
      listPages("Start", ""),
      listPages("Guides", "docs/"),
      listPages("Operating", "docs/operating/"),
      listPages("Contributing", "docs/contributing/"),
      listPages("Behaviour", "docs/behaviour/", true),
      listPages("Decisions", "docs/decisions/", true),
      listPages("Benchmarks", "bench/results/", true),
    ],
  },
};
