// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Transcript } from "#contract/videos/transcript.ts";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { toast } from "#web/components/ui/toast.tsx";
import { TranscriptPanel } from "./transcript-panel.tsx";

/** Observers that the panel has created, with what they call when an element is in view. */
let observers: { isGone: boolean; show(): void }[] = [];
beforeEach(() => {
  observers = [];
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly #entry;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.#entry = { isGone: false, show: () => callback([{ isIntersecting: true }]) };
      }
      observe() {
        observers.push(this.#entry);
      }
      disconnect() {
        this.#entry.isGone = true;
      }
    },
  );
});
/** Scrolls to the end of the list. */
const showEnd = () => act(async () => observers.findLast(({ isGone }) => !isGone)?.show());

const track = (language: string, name: string) => ({
  url: `/media/v/${language}.vtt`,
  language,
  name,
});
const tracks = [track("en", "English"), track("ar", "العربية")];
const paragraphs = (from: number, count: number, text = "said") =>
  Array.from({ length: count }, (_, at) => ({
    lines: [
      { startS: (from + at) * 10, text: `${text} ${from + at}` },
      { startS: (from + at) * 10 + 4.5, text: `Café <b>${from + at}</b>` },
    ],
  }));
const part = (change: Partial<Transcript> = {}): Transcript => ({
  ...{ track: "/media/v/en.vtt", language: "en", tracks, paragraphs: paragraphs(0, 3), next: null },
  ...change,
});

function open(first: Transcript, replies: Record<string, unknown> = {}) {
  const server = stubFetch(replies);
  const media = document.createElement("video");
  document.body.append(media);
  const seekTo = vi.fn();
  render(
    <TranscriptPanel slug="harbour" first={first} player={{ findMedia: () => media, seekTo }} />,
  );
  const playTo = (positionS: number) => {
    media.currentTime = positionS;
    act(() => void media.dispatchEvent(new Event("timeupdate")));
  };
  return { server, seekTo, playTo };
}
const lines = () => screen.queryAllByRole("link").map((line) => line.textContent);
const filter = (text: string) =>
  fireEvent.change(screen.getByRole("searchbox", { name: "Filter the transcript" }), {
    target: { value: text },
  });

test("lists lines as links with their time, and shows markup as text", () => {
  open(part({ paragraphs: paragraphs(7, 1) }));
  expect(lines()).toEqual(["1:10 said 7", "1:14 Café <b>7</b>"]);
  const [first] = screen.getAllByRole("link");
  expect(first?.getAttribute("href")).toBe("?t=70");
  expect(screen.getByRole("listitem").dir).toBe("auto");
});

test("seeks on a click, and leaves clicks for new tabs to the browser", () => {
  const { seekTo } = open(part());
  expect(fireEvent.click(screen.getByRole("link", { name: /said 2/ }))).toBe(false);
  expect(seekTo).toHaveBeenCalledExactlyOnceWith(20);
  const onPage = (event: Event) => event.preventDefault();
  window.addEventListener("click", onPage, { once: true });
  fireEvent.click(screen.getByRole("link", { name: /said 1/ }), { ctrlKey: true });
  expect(seekTo).toHaveBeenCalledOnce();
});

test("marks the spoken line without moving the page or the focus", () => {
  const { playTo } = open(part());
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
  const marked = () =>
    screen.getAllByRole("link").filter((line) => line.hasAttribute("aria-current"));
  expect(marked()).toEqual([]);
  playTo(12);
  expect(marked().map((line) => line.textContent)).toEqual(["0:10 said 1"]);
  playTo(15);
  expect(marked().map((line) => line.textContent)).toEqual(["0:14 Café <b>1</b>"]);
  expect(scroll).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(document.body);
});

test("filters by words regardless of case and accents, and highlights them", async () => {
  open(part());
  filter("CAFE <B>1");
  await waitFor(() => expect(lines()).toHaveLength(2));
  expect(document.querySelector("mark")?.textContent).toBe("Café <b>1");
  const box = screen.getByRole("list").parentElement ?? document.body;
  box.scrollTop = 400;
  filter("nothing like it");
  expect(box.scrollTop).toBe(0);
  await screen.findByText("No lines match.");
  filter("");
  await waitFor(() => expect(lines()).toHaveLength(6));
});

test("filters by the plain spelling of letters, as the search does", async () => {
  const text = "Say: Łódź cœur Straße, dʼamour";
  open(part({ paragraphs: [{ lines: [{ startS: 1, text }] }] }));
  for (const [query, marked] of [
    ["lodz coeur strasse", "Łódź cœur Straße"],
    ["d'amour", "dʼamour"],
  ] as const) {
    filter(query);
    await waitFor(() => expect(document.querySelector("mark")?.textContent).toBe(marked));
  }
});

test("filters lines that the browser has translated", async () => {
  open(part());
  const translate = () => {
    for (const line of screen.getAllByRole("link")) {
      for (const text of [...line.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)) {
        const font = document.createElement("font");
        text.replaceWith(font);
        font.append(text);
      }
    }
  };
  for (const [query, marked] of [
    ["said 1", "said 1"],
    ["cafe", "Café"],
    ["", undefined],
  ] as const) {
    translate();
    filter(query);
    await waitFor(() => expect(document.querySelector("mark")?.textContent).toBe(marked));
  }
  expect(lines()).toHaveLength(6);
});

test("moves between lines with the arrow keys, and is one stop for Tab", () => {
  open(part());
  const all = screen.getAllByRole("link");
  expect(all.filter(({ tabIndex }) => tabIndex === 0)).toEqual([all[0]]);
  const focusAfter = (key: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { key });
    return all.indexOf(document.activeElement as HTMLAnchorElement);
  };
  all[0]?.focus();
  expect(["ArrowDown", "End", "ArrowUp", "Home"].map(focusAfter)).toEqual([1, 5, 4, 0]);
});

test("adds paragraphs at the end of the list, and then loads the next part", async () => {
  const next = part({ paragraphs: paragraphs(100, 5) });
  const { server } = open(part({ paragraphs: paragraphs(0, 100), next: 100 }), {
    "GET /api/videos/harbour/transcript": next,
  });
  expect(lines()).toHaveLength(120);
  await showEnd();
  expect(lines()).toHaveLength(200);
  expect(server.sent).toHaveLength(0);
  await showEnd();
  await waitFor(() => expect(lines()).toHaveLength(210));
});

test("filters the whole text, of which the page has only the start", async () => {
  const { server } = open(part({ next: 3 }), {
    "GET /api/videos/harbour/transcript": ({ url }: { url: string }) => {
      const from = Number(new URL(url, "http://site").searchParams.get("from"));
      return part({ paragraphs: paragraphs(from, 100), next: from < 300 ? from + 100 : null });
    },
  });
  filter("said 402");
  await waitFor(() => expect(lines()[0]).toBe("67:00 said 402"));
  expect(server.sent).toHaveLength(4);
});

test("shows another language", async () => {
  open(part(), {
    "GET /api/videos/harbour/transcript": part({
      ...{ track: "/media/v/ar.vtt", language: "ar", paragraphs: paragraphs(0, 1, "مرحبا") },
    }),
  });
  fireEvent.change(screen.getByRole("combobox", { name: "Language" }), {
    target: { value: "/media/v/ar.vtt" },
  });
  await waitFor(() => expect(lines()[0]).toBe("0:00 مرحبا 0"));
  expect(screen.getByRole("list").lang).toBe("ar");
});

test("copies the whole text", async () => {
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const success = vi.spyOn(toast, "success").mockImplementation(() => {});
  open(part({ paragraphs: paragraphs(0, 1), next: 1 }), {
    "GET /api/videos/harbour/transcript": part({ paragraphs: paragraphs(1, 1) }),
  });
  fireEvent.click(screen.getByRole("button", { name: "Copy as text" }));
  await waitFor(() => expect(success).toHaveBeenCalledWith("Transcript copied to clipboard!"));
  expect(writeText).toHaveBeenCalledWith("said 0 Café <b>0</b>\n\nsaid 1 Café <b>1</b>");
});

test("says that the rest can't be loaded", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const error = vi.spyOn(toast, "error").mockImplementation(() => {});
  const { server } = open(part({ next: 3 }));
  server.reply("GET /api/videos/harbour/transcript", Promise.reject(new Error("offline")));
  await showEnd();
  await waitFor(() => expect(error).toHaveBeenCalled());
  expect(within(screen.getByRole("list")).getAllByRole("link")).toHaveLength(6);
});
