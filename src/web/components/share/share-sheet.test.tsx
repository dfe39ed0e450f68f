// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { VideoEmbedding } from "#contract/site/embedding.ts";
import { toast } from "../ui/toast.tsx";
import { ShareSheet } from "./share-sheet.tsx";

function open(positionS: number | null, embedding?: VideoEmbedding) {
  const copied: string[] = [];
  const writeText = (text: string) => Promise.resolve(void copied.push(text));
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(writeText);
  vi.spyOn(toast, "success").mockImplementation(() => {});
  vi.spyOn(toast, "error").mockImplementation(() => {});
  render(
    <ShareSheet
      video={{ slug: "long", title: 'A "long" one', path: "/video/long", positionS, embedding }}
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
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("offers no embed code for a video that nobody may embed", () => {
  open(null, "nobody");
  screen.getByLabelText("Link");
  expect(screen.queryByLabelText("Embed code")).toBeNull();
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
