// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import type { Passage } from "./passages.ts";
import type { RulerMark } from "./strip.tsx";
import { TimeRuler } from "./time-ruler.tsx";

const video = {
  title: "Harbor",
  videoUrl: "/media/harbor.mp4",
  posterUrl: null,
  storyboardUrl: null,
  hlsUrl: null,
  duration: 60,
};

function open(
  options: { hlsUrl?: string; limits?: { minS: number; maxS: number }; marks?: RulerMark[] } = {},
) {
  const { hlsUrl = null, ...rest } = options;
  function Page() {
    const [passage, setPassage] = useState<Passage>({ startS: 0, endS: 60 });
    return (
      <TimeRuler
        video={{ ...video, hlsUrl }}
        passage={passage}
        onPassage={setPassage}
        kept={[{ startS: 0, endS: 60 }]}
        {...rest}
      />
    );
  }
  render(<Page />);
}

const group = () => screen.getByRole("group", { name: "Player: Harbor" });
const key = (name: string, element: HTMLElement = group()) =>
  fireEvent.keyDown(element, { key: name });
const valueOf = (label: string) => {
  const field = screen.getByLabelText(label);
  return field instanceof HTMLInputElement ? field.value : null;
};
const enter = (label: string, text: string) => {
  fill(label, text);
  fireEvent.keyDown(screen.getByLabelText(label), { key: "Enter" });
};

it("steps by frames and seconds, and selects with I and O", () => {
  open();
  for (const name of ["ArrowRight", "ArrowRight", ".", ".", ".", ","]) key(name);
  expect(valueOf("Position")).toBe("0:02.067");
  key("i");
  key("l");
  key("o");
  expect([valueOf("Start"), valueOf("End")]).toEqual(["0:02.067", "0:12.067"]);
  screen.getByText("0:10.000 selected");
});

it("reads keys of keyboards for other scripts by their place", () => {
  open();
  key("ArrowRight");
  fireEvent.keyDown(group(), { key: "ш", code: "KeyI" });
  expect(valueOf("Start")).toBe("0:01.000");
  const start = screen.getByRole("slider", { name: "Start of the selection" });
  fireEvent.keyDown(start, { key: "ю", code: "Period" });
  expect(valueOf("Start")).toBe("0:01.033");
});

it("steps by the frames of the playlist's rate", async () => {
  stubFetch({ "GET /media/master.m3u8": new Response("#EXT-X-STREAM-INF:FRAME-RATE=29.970\n") });
  open({ hlsUrl: "/media/master.m3u8" });
  await waitFor(() => {
    key("Home");
    for (let at = 0; at < 30; at += 1) key(".");
    expect(valueOf("Position")).toBe("0:01.001");
  });
});

it("takes typed times and keeps the end after the start", () => {
  open();
  enter("End", "0:10,5");
  enter("Start", "0:20");
  expect([valueOf("Start"), valueOf("End")]).toEqual(["0:20.000", "0:20.033"]);
  enter("Start", "soon");
  screen.getByText("Enter a time such as 1:02.500");
  // Number pads lack the colon.
  expect(screen.getByLabelText("Start").hasAttribute("inputmode")).toBe(false);
});

it("moves handles by frames with the arrow keys, within the limits of the length", () => {
  open({ limits: { minS: 3, maxS: 30 } });
  const start = screen.getByRole("slider", { name: "Start of the selection" });
  key("ArrowRight", start);
  expect(start.getAttribute("aria-valuetext")).toBe("0:00.033");
  expect(valueOf("End")).toBe("0:30.033");
  key("End", start);
  expect([valueOf("Start"), valueOf("End")]).toEqual(["0:57.000", "1:00.000"]);
});

it("selects a mark's passage with one press", () => {
  open({ marks: [{ atS: 5, endS: 15, label: "The harbor" }] });
  press("Select The harbor, 0:05.000");
  expect([valueOf("Start"), valueOf("End")]).toEqual(["0:05.000", "0:15.000"]);
  expect(valueOf("Position")).toBe("0:05.000");
});

it("starts the preview while the whole video plays", () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const pause = vi.spyOn(HTMLMediaElement.prototype, "pause").mockReturnValue();
  open();
  fireEvent.play(screen.getByLabelText("Video: Harbor"));
  press("Preview result");
  expect(pause).not.toHaveBeenCalled();
  press("Stop preview");
  expect(pause).toHaveBeenCalledOnce();
});

it("leaves keys to fields", () => {
  open();
  fireEvent.keyDown(screen.getByLabelText("Start"), { key: "o" });
  expect(valueOf("End")).toBe("1:00.000");
});
