import { useEffect, useRef } from "react";
import { adminEvent, type AdminEvent as ServerEvent } from "#contract/site/admin-events.ts";
import { refreshSession } from "#web/lib/session-actions.ts";
import { askToSignIn } from "./session-renewal.ts";

/**
 * `open` means that the stream has connected or reconnected. Earlier events may have been missed.
 */
export type AdminEvent = ServerEvent | { type: "open" };

type Listener = (event: AdminEvent) => void;

/** Milliseconds until the next attempt if the server is busy. */
const retryMs = 5000;

const listeners = new Set<Listener>();
let source: EventSource | null = null;

function tell(event: AdminEvent): void {
  for (const listener of listeners) listener(event);
}

function receive(message: MessageEvent<string>): void {
  try {
    tell(adminEvent.parse(JSON.parse(message.data)));
  } catch (error) {
    console.warn("The event has an unknown format", error);
  }
}

/** Reopens a rejected stream. The browser itself only reopens lost connections. */
async function recover(): Promise<void> {
  if (source?.readyState !== EventSource.CLOSED) return;
  source = null;
  // Null only if the session has ended. Being offline doesn't end it.
  const user = await refreshSession().catch(() => undefined);
  if (user !== null) setTimeout(follow, retryMs);
  else if (await askToSignIn()) follow();
}

/**
 * Opens one stream per visible tab and closes it in hidden tabs, because browsers allow six per
 * site.
 */
function follow(): void {
  const isWanted = listeners.size > 0 && document.visibilityState === "visible";
  if (isWanted && source === null) {
    source = new EventSource("/api/admin/events");
    source.addEventListener("message", receive);
    source.addEventListener("open", () => tell({ type: "open" }));
    source.addEventListener("error", () => void recover());
  } else if (!isWanted && source !== null) {
    source.close();
    source = null;
  }
}

/** Calls `onEvent` for each server event while the component is mounted. */
export function useAdminEvents(onEvent: Listener): void {
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => {
    const listener: Listener = (event) => latest.current(event);
    listeners.add(listener);
    if (listeners.size === 1) document.addEventListener("visibilitychange", follow);
    follow();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) document.removeEventListener("visibilitychange", follow);
      follow();
    };
  }, []);
}
