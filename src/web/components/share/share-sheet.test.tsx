// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { toast } from "../ui/toast.tsx";
import { ShareSheet, type SharedVideo } from "./share-sheet.tsx";

function open(positionS: number | null, own: Partial<SharedVideo> = {}) {
  const copied: string[] = [];
  const writeText = (text: string) => Promise.resolve(void copied.push(text));
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(writeText);
  vi.spyOn(toast, "success").mockImplementation(() => {});
  vi.spyOn(toast, "error").mockImplementation(() => {});
  render(
    <ShareSheet
      video={{
        ...{ slug: "long", title: 'A "long" one', path: "/video/long", positionS },
        ...{ width: 1920, height: 1080, ...own },
      }}
      base="https://site.test"
      siteEmbedding="listed"
      onClose={() => {}}
    />,
  );
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  return { copied, field };
}

test("starts the link and the embedded player at the current position on request", () => {
  const { field } = open(40.6);
  expect(field("Link")).toBe("https://site.test/video/long");
  fireEvent.click(screen.getByRole("checkbox", { name: "Start at 0:40" }));
  expect(field("Link")).toBe("https://site.test/video/long?t=40");
  expect(field("Embed code")).toContain(
    '<iframe src="https://site.test/embed/long?t=40" title="A &quot;long&quot; one"',
  );
  screen.getByRole("img", { name: "QR code for the link" });
});

test("offers no start in the first second", () => {
  open(0.9);
  expect(screen.queryByRole("checkbox", { name: /Start at/ })).toBeNull();
});

test("offers no embed code for a video that nobody may embed", () => {
  open(null, { embedding: "nobody" });
  screen.getByLabelText("Link");
  expect(screen.queryByLabelText("Embed code")).toBeNull();
  expect(screen.queryByRole("group", { name: "Embed" })).toBeNull();
});

/** Embed code as an element, and its address without the site. */
function readCode(code: string) {
  const holder = document.createElement("div");
  holder.innerHTML = code;
  const frame = holder.querySelector("iframe");
  const src = frame?.getAttribute("src")?.replace("https://site.test", "");
  return { outer: holder.firstElementChild, frame, src };
}

test.each([
  ["a wide video", { width: 1920, height: 1080 }, ["560", "315"]],
  ["an upright video", { width: 1080, height: 1920 }, ["315", "560"]],
  ["a video of unknown size", { width: null, height: null }, ["560", "315"]],
])("sizes the frame of %s by its aspect ratio", (_name, size, expected) => {
  const { field } = open(null, size);
  const { frame } = readCode(field("Embed code"));
  expect([frame?.getAttribute("width"), frame?.getAttribute("height")]).toEqual(expected);
});

test("takes the width that the visitor enters, and ignores one that is out of range", () => {
  const { field } = open(null);
  const width = screen.getByRole("spinbutton", { name: "Width in pixels" });
  fireEvent.change(width, { target: { value: "800" } });
  expect(field("Embed code")).toContain('width="800" height="450"');
  fireEvent.change(width, { target: { value: "8" } });
  expect(field("Embed code")).toContain('width="560" height="315"');
  fireEvent.blur(width);
  expect(field("Width in pixels")).toBe("560");
});

test("offers a frame that fits the page width and keeps the aspect ratio", () => {
  const { field } = open(null, { width: 1080, height: 1920 });
  fireEvent.change(screen.getByRole("combobox", { name: "Size" }), {
    target: { value: "responsive" },
  });
  const { outer, frame } = readCode(field("Embed code"));
  expect(outer?.getAttribute("style")).toBe("aspect-ratio:1080/1920");
  expect(frame?.getAttribute("style")).toBe("width:100%;height:100%;border:0");
  expect(frame?.hasAttribute("width")).toBe(false);
  expect(screen.queryByRole("spinbutton")).toBeNull();
});

test("plays automatically only on request, and then without sound", () => {
  const { field } = open(40);
  const src = () => readCode(field("Embed code")).src;
  expect(src()).toBe("/embed/long");
  fireEvent.click(screen.getByRole("checkbox", { name: "Play automatically, without sound" }));
  expect(src()).toBe("/embed/long?autoplay=1&muted=1");
  fireEvent.click(screen.getByRole("checkbox", { name: "Start at 0:40" }));
  expect(src()).toBe("/embed/long?t=40&autoplay=1&muted=1");
});

test("loads the preview when it is opened, with the address of the code", () => {
  const { field } = open(40);
  const preview = () => screen.queryByTitle<HTMLIFrameElement>("Preview");
  expect(preview()).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: "Start at 0:40" }));
  const button = screen.getByRole("button", { name: "Preview", expanded: false });
  fireEvent.click(button);
  expect(preview()?.getAttribute("src")).toBe(readCode(field("Embed code")).src);
  fireEvent.click(button);
  expect(preview()).toBeNull();
});

test("copies the embed code, or says how to copy it if the browser refuses", async () => {
  const { copied, field } = open(null);
  const copy = () => fireEvent.click(screen.getByRole("button", { name: "Copy: Embed code" }));
  copy();
  await waitFor(() =>
    expect(toast.success).toHaveBeenCalledWith("Embed code copied to clipboard!"),
  );
  expect(copied).toEqual([field("Embed code")]);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
  copy();
  await waitFor(() =>
    expect(toast.error).toHaveBeenCalledWith(
      "Couldn't copy it. Select the text and copy it manually.",
    ),
  );
});
