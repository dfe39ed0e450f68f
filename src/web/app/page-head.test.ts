import { expect, test } from "vitest";
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
