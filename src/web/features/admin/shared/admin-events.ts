import { useEffect, useRef } from "react";
import { adminEvent, type AdminEvent as ServerEvent } from "#contract/site/admin-events.ts";
import { refreshSession } from "#web/lib/session-actions.ts";
import { dropTicket, withTicket } from "./admin-api.ts";
import { askToSignIn } from "./session-renewal.ts";

/**
 * `open` means that the stream has connected or reconnected. Earlier events may have been missed.
 */
export type AdminEvent = ServerEvent | { type: "open" };

type Listener = (event: AdminEvent) => void;

/** Milliseconds until the next attempt if the server is busy. */
const retryMs = 5000;
/** Milliseconds until a stream that has ended is reopened. */
const reopenMs = 2000;

const listeners = new Set<Listener>();
let source: EventSource | null = null;
let isOpening = false;

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

/** Reopens a stream that has ended. The browser would use its old ticket. */
async function recover(): Promise<void> {
  const isRejected = source?.readyState === EventSource.CLOSED;
  source?.close();
  source = null;
  if (!isRejected) return void setTimeout(follow, reopenMs);
  dropTicket();
  // Null only if the session has ended. Being offline doesn't end it.
  const user = await refreshSession().catch(() => undefined);
  if (user !== null) setTimeout(follow, retryMs);
  else if (await askToSignIn()) follow();
}

const isWanted = () => listeners.size > 0 && document.visibilityState === "visible";

async function open(): Promise<void> {
  isOpening = true;
  try {
    const address = await withTicket("/api/admin/events");
    if (!isWanted()) return;
    source = new EventSource(address);
    source.addEventListener("message", receive);
    source.addEventListener("open", () => tell({ type: "open" }));
    source.addEventListener("error", () => void recover());
  } catch (error) {
    console.warn("Couldn't follow the events", error);
    setTimeout(follow, retryMs);
  } finally {
    isOpening = false;
  }
}

/**
 * Opens one stream per visible tab and closes it in hidden tabs, because browsers allow six per
 * site.
 */
function follow(): void {
  if (isWanted() && source === null && !isOpening) void open();
  else if (!isWanted() && source !== null) {
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
