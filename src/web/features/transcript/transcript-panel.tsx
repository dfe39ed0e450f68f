import {
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from "react";
import { parseStartTime } from "#contract/videos/start-time.ts";
import type { Transcript, TranscriptParagraph } from "#contract/videos/transcript.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { toast } from "#web/components/ui/toast.tsx";
import { fold } from "#web/components/video/search-words.ts";
import { copyText } from "#web/lib/copy-text.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { useStore } from "#web/lib/store.ts";
import { splitAtMatches } from "./find-text.ts";

import { createTranscriptStore } from "./transcript-store.ts";

const messages = inLanguage("transcript");

/** Player of the video whose transcript is shown. */
export interface TranscriptPlayer {
  /** Returns the element that plays the video. The player may replace it. */
  findMedia(): HTMLVideoElement | null;
  seekTo(positionS: number): void;
}

/** Number of paragraphs that are added when the visitor reaches the end of the list. */
const paragraphsPerStep = 60;

/** A video at 0 would continue where the visitor left it. */
const hrefOf = (startS: number): string => `?t=${Math.max(startS, 0.1)}`;
const startIn = (search: string): number | null =>
  parseStartTime(new URLSearchParams(search).get("t"));
const linesIn = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLAnchorElement>("a") ?? []),
];

const textOf = ({ lines }: TranscriptParagraph): string => lines.map(({ text }) => text).join(" ");

const foldedTexts = new WeakMap<TranscriptParagraph, string>();

/** Returns the folded text. A transcript grows part by part, and each paragraph is folded once. */
function foldedTextOf(paragraph: TranscriptParagraph): string {
  let folded = foldedTexts.get(paragraph);
  if (folded === undefined) {
    folded = fold(textOf(paragraph));
    foldedTexts.set(paragraph, folded);
  }
  return folded;
}

function Marked({ text, query }: { text: string; query: string }) {
  if (query === "") return text;
  // All parts are elements, because browsers that translate the page replace text nodes, which React
  // then can't remove.
  return splitAtMatches(text, query).map((part, at) => {
    const Part = at % 2 === 1 ? "mark" : "span";
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a text keep their order
    return <Part key={at}>{part}</Part>;
  });
}

interface ParagraphProps {
  paragraph: TranscriptParagraph;
  /** Folded text to highlight, or empty. */
  query: string;
  /** True if Tab reaches the first line. The arrow keys move between lines, which may be thousands. */
  isFirst: boolean;
}

/** Paragraph whose first time is visible. All lines have their time for screen readers. */
const Paragraph = memo(function Paragraph({ paragraph, query, isFirst }: ParagraphProps) {
  const hasKeys = typeof document !== "undefined";
  return (
    <li dir="auto">
      {paragraph.lines.map(({ startS, text }, at) => [
        at === 0 ? "" : " ",
        <a
          // oxlint-disable-next-line react/no-array-index-key -- lines keep their order
          key={at}
          href={pagePath(hrefOf(startS))}
          tabIndex={!hasKeys || (isFirst && at === 0) ? undefined : -1}
        >
          <i>{formatDuration(startS)} </i>
          <Marked text={text} query={query} />
        </a>,
      ])}
    </li>
  );
});

/** Transcript with a choice of the language, a filter, and lines that seek. */
export function TranscriptPanel({
  slug,
  first,
  player,
  focused = null,
}: {
  slug: string;
  first: Transcript;
  player: TranscriptPlayer;
  /** Link of the line that gets the focus. */
  focused?: string | null;
}) {
  const [source] = useState(() => createTranscriptStore(slug, first));
  const shown = useStore(source.store, (state) => state);
  const [filter, setFilter] = useState("");
  const query = fold(useDeferredValue(filter).trim());
  const [steps, setSteps] = useState(1);
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<HTMLDivElement>(null);

  const { paragraphs, next, track } = shown;
  const matches = useMemo(() => {
    const places = [...paragraphs.keys()];
    if (query === "") return places;
    return places.filter((at) => {
      const paragraph = paragraphs[at];
      return paragraph !== undefined && foldedTextOf(paragraph).includes(query);
    });
  }, [paragraphs, query]);
  const visible = matches.slice(0, steps * paragraphsPerStep);

  const report = (error: unknown) => {
    console.warn("Couldn't load the transcript", error);
    toast.error(messages.loadFailed);
  };
  const hasMore = visible.length < matches.length || next !== null;

  // A filter searches the whole text.
  useEffect(() => {
    if (query !== "" && next !== null) source.loadMore().catch(report);
  }, [source, query, next]);

  // The last paragraphs are added while they scroll into view.
  useEffect(() => {
    if (end.current === null || !hasMore) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return;
        observer.disconnect();
        setSteps((count) => count + 1);
        if (visible.length === matches.length) source.loadMore().catch(report);
      },
      { root: list.current?.parentElement ?? null, rootMargin: "600px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [source, hasMore, visible.length, matches.length]);

  const { markSpoken, reveal } = useSpokenLine(list, paragraphs, player);
  /** Position whose line scrolls into view once it is rendered. */
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    markSpoken();
    if (wanted.current !== null && reveal(wanted.current)) wanted.current = null;
  });

  async function goTo(positionS: number): Promise<void> {
    while (isBefore(source.store.get(), positionS)) await source.loadMore();
    const { paragraphs: loaded } = source.store.get();
    const at = loaded.findLastIndex((each) => startsBy(each, positionS));
    if (at === -1) return;
    wanted.current = positionS;
    setSteps((count) => Math.max(count, Math.ceil((at + 1) / paragraphsPerStep)));
    if (reveal(positionS)) wanted.current = null;
  }

  // Only once, for the first lines.
  useLayoutEffect(() => {
    linesIn(list.current)
      .find((line) => line.getAttribute("href") === focused)
      ?.focus({ preventScroll: true });
    // The link of a search result starts at the words that were searched for.
    const startS = startIn(window.location.search);
    if (startS !== null) goTo(startS).catch(report);
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  /** Shows other lines from the first one. */
  function restart(): void {
    setSteps(1);
    const box = list.current?.parentElement;
    if (box != null) box.scrollTop = 0;
  }

  async function copy(): Promise<void> {
    await source.loadAll();
    const text = source.store.get().paragraphs.map(textOf).join("\n\n");
    if (await copyText(text)) toast.success(messages.copied);
    else toast.error(messages.notCopied);
  }

  return (
    <>
      <div className="transcript-tools">
        <TextField
          label={messages.filter}
          placeholder={messages.filter}
          isLabelHidden
          type="search"
          value={filter}
          onChange={(event) => {
            setFilter(event.target.value);
            restart();
          }}
          className="min-w-40 flex-1"
        />
        {shown.tracks.length < 2 ? null : (
          <SelectField
            label={messages.language}
            isLabelHidden
            value={track}
            options={shown.tracks.map(({ url, name }) => ({ value: url, label: name }))}
            onChange={(event) => {
              restart();
              source.selectTrack(event.target.value).catch(report);
            }}
          />
        )}
        <Button
          onClick={() => {
            setFilter("");
            void goTo(player.findMedia()?.currentTime ?? 0).catch(report);
          }}
        >
          {messages.position}
        </Button>
        <Button onClick={() => void copy().catch(report)}>{messages.copy}</Button>
      </div>
      <div className="transcript-lines">
        {/* The links in it are interactive. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ol
          ref={list}
          lang={shown.language === "und" ? undefined : shown.language}
          onClick={(event) => {
            const line = lineOf(event);
            if (line === null) return;
            event.preventDefault();
            player.seekTo(startIn(line.search) ?? 0);
          }}
          onKeyDown={(event) => moveFocus(event, list.current)}
        >
          {visible.map((at, place) => {
            const paragraph = paragraphs[at];
            return paragraph === undefined ? null : (
              <Paragraph
                // Remounts the paragraph, because translators may have replaced its text nodes.
                key={query === "" ? at : `${at} marked`}
                paragraph={paragraph}
                query={query}
                isFirst={place === 0}
              />
            );
          })}
        </ol>
        {matches.length === 0 && next === null ? (
          <p role="status" className="text-sm text-ink-11">
            {messages.noMatches}
          </p>
        ) : null}
        {hasMore ? (
          <div ref={end}>
            <noscript>
              <a href={pagePath(track)}>{messages.whole}</a>
            </noscript>
          </div>
        ) : null}
      </div>
    </>
  );
}

const startsBy = ({ lines }: TranscriptParagraph, positionS: number): boolean =>
  (lines[0]?.startS ?? 0) <= positionS;

/** Returns whether the line at a position isn't loaded yet. */
const isBefore = ({ paragraphs, next }: Transcript, positionS: number): boolean =>
  next !== null && paragraphs.every((each) => startsBy(each, positionS));

/** Returns the line of a plain click. Others open a tab or a window as usual. */
function lineOf(event: MouseEvent): HTMLAnchorElement | null {
  const { target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey) return null;
  return target instanceof Element ? target.closest("a") : null;
}

/** Moves the focus between lines with the arrow keys, because there may be thousands. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  const { target, key } = event;
  const lines = linesIn(list);
  const at = lines.findIndex((line) => line === target);
  if (at === -1) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[key];
  if (to === undefined) return;
  event.preventDefault();
  // The player would change the volume.
  event.stopPropagation();
  lines[to]?.focus();
}

/**
 * Marks the line that is spoken while the video plays. Only `reveal` scrolls, and only the list.
 */
function useSpokenLine(
  list: RefObject<HTMLOListElement | null>,
  paragraphs: readonly TranscriptParagraph[],
  player: TranscriptPlayer,
) {
  const marked = useRef<Element | null>(null);

  function findLine(positionS: number): Element | null {
    // Media elements round the position that they seek to.
    const latestS = positionS + 0.1;
    const paragraph = paragraphs.findLast((each) => startsBy(each, latestS));
    const line = paragraph?.lines.findLast(({ startS }) => startS <= latestS);
    if (line === undefined) return null;
    return list.current?.querySelector(`a[href="${hrefOf(line.startS)}"]`) ?? null;
  }

  function markSpoken(): void {
    const positionS = player.findMedia()?.currentTime ?? 0;
    const line = positionS === 0 ? null : findLine(positionS);
    if (line === marked.current) return;
    marked.current?.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "true");
    marked.current = line;
  }
  const latest = useRef(markSpoken);
  latest.current = markSpoken;

  useEffect(() => {
    const controller = new AbortController();
    // Media events don't bubble, and the player may replace the element.
    const onTime = ({ target }: Event) => {
      if (target === player.findMedia()) latest.current();
    };
    for (const name of ["timeupdate", "seeking"]) {
      const { signal } = controller;
      document.addEventListener(name, onTime, { capture: true, signal });
    }
    return () => controller.abort();
  }, [player]);

  return {
    markSpoken,
    /** Scrolls the list, but not the page, to the line at a position. Returns whether it is there. */
    reveal(positionS: number): boolean {
      const line = findLine(positionS);
      const box = list.current?.parentElement;
      if (line === null || box == null) return false;
      const { top } = line.getBoundingClientRect();
      box.scrollBy({ top: top - box.getBoundingClientRect().top - box.clientHeight / 3 });
      return true;
    },
  };
}
