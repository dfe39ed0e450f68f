// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { Video } from "#contract/videos/videos.ts";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { CaptionEditor } from "./caption-editor.tsx";

const saved = {
  id: "c",
  url: "/media/v/c.vtt",
  language: "en",
  name: "English",
  origin: "upload",
  isDefault: false,
  isForced: false,
  lineCount: 81,
};

/** Opens the editor of a track with this number of lines. */
async function open(count: number, canEdit = true) {
  const caption = {
    ...saved,
    lines: Array.from({ length: count }, (_, at) => ({
      startMs: at * 1000,
      endMs: at * 1000 + 900,
      text: `Line ${at + 1}`,
      place: "",
    })),
  };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(caption));
  const video = { id: "v", videoUrl: "/media/v/play.mp4", posterUrl: null } as Video;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <CaptionEditor video={video} captionId="c" canEdit={canEdit} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await screen.findByRole("textbox", { name: "Text for line 1" });
  return caption;
}

test("goes to the previous page when a page's last line is deleted", async () => {
  await open(81);
  fireEvent.click(screen.getByRole("button", { name: "Later lines" }));
  fireEvent.click(screen.getByRole("button", { name: "Later lines" }));
  expect(screen.queryByRole("textbox", { name: "Text for line 80" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Delete line 81" }));
  expect(screen.queryByRole("textbox", { name: "Text for line 80" })).not.toBeNull();
  expect(screen.getByRole("button", { name: "Later lines" }).matches(":disabled")).toBe(true);
});

test("keeps Save lines enabled for a line edited while the others are saved", async () => {
  const caption = await open(2);
  const response = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, "fetch").mockReturnValue(response.promise);
  const edit = (value: string) =>
    fireEvent.change(screen.getByRole("textbox", { name: "Text for line 1" }), {
      target: { value },
    });
  edit("Before saving");
  fireEvent.click(screen.getByRole("button", { name: "Save lines" }));
  edit("While saving");
  await act(async () => response.resolve(Response.json(caption)));
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Save lines" }).matches(":disabled")).toBe(false),
  );
  expect(screen.queryByRole("button", { name: "Discard" })).not.toBeNull();
});

test("leaves all keys of a phone's keyboard to times and shifts", async () => {
  await open(1);
  for (const label of ["Start of line 1", "End of line 1", "Shift all lines (seconds)"]) {
    expect(screen.getByLabelText(label).hasAttribute("inputmode")).toBe(false);
  }
});

function shiftAll(seconds: string) {
  fireEvent.change(screen.getByLabelText("Shift all lines (seconds)"), {
    target: { value: seconds },
  });
  fireEvent.click(screen.getByRole("button", { name: "Move" }));
}

test("counts the lines that end before the video starts", async () => {
  await open(3);
  expect(screen.queryByText(/won't be saved/)).toBeNull();
  shiftAll("-0.9");
  screen.getByText("1 line ends before the video starts and won't be saved.");
  shiftAll("-1");
  screen.getByText("2 lines end before the video starts and won't be saved.");
  shiftAll("2");
  expect(screen.queryByText(/won't be saved/)).toBeNull();
});

const textOf = (number: number) => screen.getByRole("textbox", { name: `Text for line ${number}` });
const countLines = () => screen.getAllByRole("textbox", { name: /^Text for line/ }).length;

test.each([
  ["Win32", "Alt", { altKey: true }, { altKey: true, ctrlKey: true }],
  ["MacIntel", "Control+Option", { altKey: true, ctrlKey: true }, { altKey: true }],
])(
  "adds a line on %s with %s, and leaves characters to the field",
  async (...[os, name, own, other]) => {
    vi.spyOn(navigator, "platform", "get").mockReturnValue(os);
    await open(2);
    screen.getByText((text) => text.includes(`, and ${name}+N to add a line`));
    expect(fireEvent.keyDown(textOf(1), { code: "KeyN", ...other })).toBe(true);
    expect(countLines()).toBe(2);
    expect(fireEvent.keyDown(textOf(1), { code: "KeyN", ...own })).toBe(false);
    expect(countLines()).toBe(3);
  },
);

test("adds a line at the start of the video after one that ends before it", async () => {
  await open(3);
  screen.getByLabelText<HTMLVideoElement>("Video for the lines in English").currentTime = 5;
  shiftAll("-0.95");
  fireEvent.keyDown(textOf(1), { code: "KeyN", altKey: true });
  expect(countLines()).toBe(4);
  expect(screen.getByLabelText<HTMLInputElement>("Start of line 2").value).toBe("0:00.000");
});

test("changes no line with keys for users who may not edit", async () => {
  await open(2, false);
  for (const code of ["Digit1", "Digit2", "KeyN"]) {
    fireEvent.keyDown(textOf(2), { code, altKey: true });
  }
  expect(countLines()).toBe(2);
  expect(screen.getByLabelText<HTMLInputElement>("Start of line 2").value).toBe("0:01.000");
});
