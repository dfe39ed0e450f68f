// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { expect, test, vi } from "vitest";
import type { Video } from "#contract/videos/videos.ts";
import { click, fill, render } from "#web/lib/render.fixture.ts";
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
async function open(count: number) {
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
  const video = { id: "v", videoUrl: null, posterUrl: null } as Video;
  const page = await render(
    <QueryClientProvider client={new QueryClient()}>
      <CaptionEditor video={video} captionId="c" canEdit onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await expect.poll(() => page.find("textbox", "Text for line 1")).not.toBeNull();
  return { ...page, caption };
}

test("goes to the previous page when a page's last line is deleted", async () => {
  const page = await open(81);
  await click(page.get("button", "Later lines"));
  await click(page.get("button", "Later lines"));
  expect(page.find("textbox", "Text for line 80")).toBeNull();
  await click(page.get("button", "Delete line 81"));
  expect(page.find("textbox", "Text for line 80")).not.toBeNull();
  expect(page.get("button", "Later lines").matches(":disabled")).toBe(true);
});

test("keeps Save lines enabled for a line edited while the others are saved", async () => {
  const page = await open(2);
  const response = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, "fetch").mockReturnValue(response.promise);
  const edit = (text: string) => {
    const field = page.get("textbox", "Text for line 1");
    if (!(field instanceof HTMLTextAreaElement)) throw new Error("no text area");
    return fill(field, text);
  };
  await edit("Before saving");
  await click(page.get("button", "Save lines"));
  await edit("While saving");
  await act(async () => response.resolve(Response.json(page.caption)));
  await expect.poll(() => page.find("button", "Save lines")?.matches(":disabled")).toBe(false);
  expect(page.find("button", "Discard")).not.toBeNull();
});
