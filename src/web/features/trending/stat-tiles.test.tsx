// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { render } from "@testing-library/react";
import { StatTiles } from "./trending-page.tsx";

test.each([
  [12.5, "8up+12.5%", true],
  [-3, "8down-3.0%", true],
  [0, "80.0%", false],
  [0.04, "80.0%", false],
  [null, "8", false],
  [0, "0", false],
])("shows a growth of %s as %o", (viewsGrowth, text, hasArrow) => {
  const totals = { totalVideos: 7, totalViews: text === "0" ? 0 : 8, totalLikes: 9 };
  const stats = { ...totals, viewsGrowth, likesGrowth: null };
  const { container } = render(<StatTiles stats={{ stats, topVideo: null }} />);
  const views = container.querySelectorAll("dd")[1];
  expect([views?.textContent, views?.querySelector("svg") !== null]).toEqual([text, hasArrow]);
});
