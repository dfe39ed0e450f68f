import { useEffect, useRef } from "react";
import { keyOf } from "#web/lib/key-of.ts";
import { hasOpenDialog } from "#web/lib/open-dialog.ts";
import { isClaimed, isTyping } from "#web/lib/key-targets.ts";

export interface FeedKeyActions {
  move: (direction: 1 | -1) => void;
  togglePlay: () => void;
  toggleSound: () => void;
  seekBy: (seconds: number) => void;
  like: () => void;
  toggleCaptions: () => void;
}

/** Minimum milliseconds between two moves while a key is held down. */
const repeatMs = 280;

/** Handles the feed's keys on the whole page, except while the visitor types in a field. */
export function useFeedKeys(actions: FeedKeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let movedAtMs = -Infinity;
    const move = (event: KeyboardEvent, direction: 1 | -1) => {
      if (event.repeat && event.timeStamp - movedAtMs < repeatMs) return;
      movedAtMs = event.timeStamp;
      latest.current.move(direction);
    };
    const once = (act: () => void) => (event: KeyboardEvent) => {
      if (!event.repeat) act();
    };
    const table: Record<string, (event: KeyboardEvent) => void> = {
      arrowdown: (event) => move(event, 1),
      pagedown: (event) => move(event, 1),
      j: (event) => move(event, 1),
      arrowup: (event) => move(event, -1),
      pageup: (event) => move(event, -1),
      k: (event) => move(event, -1),
      " ": once(() => latest.current.togglePlay()),
      m: once(() => latest.current.toggleSound()),
      arrowleft: () => latest.current.seekBy(-5),
      arrowright: () => latest.current.seekBy(5),
      l: once(() => latest.current.like()),
      c: once(() => latest.current.toggleCaptions()),
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = keyOf(event);
      const act = Object.hasOwn(table, key) ? table[key] : undefined;
      if (act === undefined || isTyping(event.target)) return;
      // The video is a button that toggles on space, so handling the key here too would toggle
      // twice. Keys that the progress bar handles don't reach the feed.
      const isOpen =
        event.target instanceof Element && event.target.matches(".feed-touch, .feed-scrub");
      if (!isOpen && isClaimed(event.target, event.key)) return;
      if (hasOpenDialog()) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
