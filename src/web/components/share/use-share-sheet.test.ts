// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { shareOrigin } from "./use-share-sheet.tsx";

test.each([
  ["https://videos.example", "https://videos.example"],
  ["http://localhost:3000", "http://10.0.0.5:8080"],
  ["http://127.0.0.1:3000", "http://10.0.0.5:8080"],
  ["", "http://10.0.0.5:8080"],
])("shares a site with the URL %j as %s for a visitor of 10.0.0.5", (url, origin) => {
  window.location.href = "http://10.0.0.5:8080/video/a";
  expect(shareOrigin({ url })).toBe(origin);
});
