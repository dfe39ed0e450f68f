// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { suggestBreaks } from "../videos/details/midroll-section.tsx";
import { WatchedParts } from "./audience.tsx";

const parts = (
  watchingAt: (at: number) => number,
  replaysAt: (at: number) => number = () => 0,
) => ({
  watching: Array.from({ length: 100 }, (_, at) => watchingAt(at)),
  replays: Array.from({ length: 100 }, (_, at) => replaysAt(at)),
});

it("reads values of both curves with keys, and lists them in a table", () => {
  const curve = {
    plays: 40,
    parts: parts(
      (at) => 1 - at / 100,
      (at) => (at === 2 ? 0.25 : 0),
    ),
  };
  render(<WatchedParts curve={curve} durationS={200} storyboardUrl={null} />);
  const chart = screen.getByRole("slider", { name: "Watched parts" });
  expect(chart.getAttribute("aria-valuetext")).toContain("arrow keys");
  for (let step = 0; step < 3; step += 1) fireEvent.keyDown(chart, { key: "ArrowRight" });
  expect(chart.getAttribute("aria-valuetext")).toBe("0:04: 98% watching, 25% replayed");
  fireEvent.keyDown(chart, { key: "End" });
  expect(chart.getAttribute("aria-valuetext")).toBe("3:18: 1.0% watching, 0% replayed");
  expect(screen.getAllByRole("row", { hidden: true })).toHaveLength(101);
});

it("says that there are too few plays instead of drawing curves", () => {
  render(<WatchedParts curve={{ plays: 19, parts: null }} durationS={200} storyboardUrl={null} />);
  screen.getByText("The curves appear after 20 counted plays. So far there are 19.");
  expect(screen.queryByRole("slider")).toBeNull();
});

it("shows pictures of the storyboard behind the curves", async () => {
  const vtt = "WEBVTT\n\n00:00.000 --> 01:40.000\nsheet.webp#xywh=0,0,160,90\n";
  stubFetch({ "GET /media/storyboard.vtt": new Response(vtt) });
  const { container } = render(
    <WatchedParts
      curve={{ plays: 40, parts: parts(() => 1) }}
      durationS={200}
      storyboardUrl="/media/storyboard.vtt"
    />,
  );
  const figure = within(container).getByRole("figure");
  await waitFor(() => expect(figure.innerHTML).toContain("sheet.webp"));
});

it("suggests breaks in valleys, apart from each other and from the ends", () => {
  const valley = (at: number) =>
    at === 30 || at === 31 ? 0.6 : at === 60 ? 0.75 : at === 2 ? 0.1 : 0.9;
  expect(suggestBreaks(parts(valley), 1000)).toEqual([305, 605]);
  expect(suggestBreaks(parts(valley), 600)).toEqual([183]);
  expect(
    suggestBreaks(
      parts((at) => 1 - at / 100),
      1000,
    ),
  ).toEqual([]);
});
