import { expect, onTestFinished, test } from "vitest";
import { followLanguage } from "#web/lib/language/page-language.ts";
import { headOfPage } from "./page-head.ts";

const state = {
  matches: [
    {
      route: { id: "p", handle: { head: ({ url }: { url: URL }) => ({ title: url.href }) } },
      params: {},
    },
  ],
  loaderData: {},
  errors: null,
};

test.each([
  ["https://a.example/home?x=1", "https://a.example/home?x=1"],
  ["https://a.example/de/home?x=1", "https://a.example/home?x=1"],
  ["https://a.example/..//", "https://a.example//"],
  ["https://a.example//evil.example/x", "https://a.example//evil.example/x"],
])("creates the head of %s with the URL %s on the same host", async (asked, made) => {
  expect((await headOfPage(state, new URL(asked))).title).toBe(made);
});

test("refers to the page in its own language everywhere, and to all languages", async () => {
  followLanguage(() => ({ code: "de", prefix: "/de", texts: null }));
  onTestFinished(() => followLanguage(() => undefined));
  const url = "https://a.example/video/x";
  const head = () => ({
    title: "X",
    canonical: url,
    meta: [
      { name: "og:url", content: url },
      { name: "og:description", content: `${url} is here` },
      { name: "og:image", content: "https://a.example/social.png" },
    ],
    jsonLd: [
      { url, contentUrl: "https://a.example/media/v/x/play.mp4" },
      { itemListElement: [{ position: 1, item: "https://a.example/home" }] },
    ],
  });
  const [match] = state.matches;
  const matches = [{ ...match, params: {}, route: { id: "p", handle: { head } } }];
  const made = await headOfPage({ ...state, matches }, new URL("https://a.example/de/video/x"));
  const german = "https://a.example/de/video/x";
  expect(made).toMatchObject({
    canonical: german,
    meta: [
      { name: "og:url", content: german },
      { name: "og:description", content: `${url} is here` },
      { name: "og:image", content: "https://a.example/social.png" },
    ],
    jsonLd: [
      { url: german, contentUrl: "https://a.example/media/v/x/play.mp4" },
      { itemListElement: [{ position: 1, item: "https://a.example/de/home" }] },
    ],
  });
  const rss = { rel: "alternate", type: "application/rss+xml" };
  expect(made.links).toContainEqual({ ...rss, title: "Kinora", href: "/de/feed.rss" });
  expect(made.links).toContainEqual({ rel: "alternate", hreflang: "en", href: url });
  expect(made.links).toContainEqual({ rel: "alternate", hreflang: "de", href: german });
});

test("links the site's RSS feed after the page's own, on pages with a canonical address", async () => {
  const own = { rel: "alternate", type: "application/rss+xml", title: "X", href: "/x/feed.rss" };
  const feedsOf = async (canonical?: string) => {
    const handle = { head: () => ({ title: "X", canonical, links: [own] }) };
    const matches = [{ params: {}, route: { id: "p", handle } }];
    const head = await headOfPage({ ...state, matches }, new URL("https://a.example/x"));
    return head.links?.filter(({ type }) => type === own.type).map(({ href }) => href);
  };
  expect(await feedsOf("https://a.example/x")).toEqual(["/x/feed.rss", "/feed.rss"]);
  expect(await feedsOf()).toEqual(["/x/feed.rss"]);
});
