// @vitest-environment happy-dom
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAdminEvents } from "./admin-events.ts";
import { endSignIn, useIsSignInAsked } from "./session-renewal.ts";

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Stream[] = [];
  readyState = 1;
  constructor() {
    super();
    Stream.opened.push(this);
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  /** Simulates a rejected request. */
  refuse(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

let status = 200;
const user = { id: "1", email: "ada@example.com", name: "Ada", role: "ADMIN" };
beforeEach(() => {
  Stream.opened = [];
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      new Response(JSON.stringify({ user: status === 401 ? null : user }), {
        headers: { "content-type": "application/json" },
      }),
    ),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Component that follows the events and shows whether the user is asked to sign in. */
function Follower(): string {
  useAdminEvents(() => undefined);
  return useIsSignInAsked() ? "asked" : "";
}

function mount() {
  const element = document.createElement("div");
  const root = createRoot(element);
  root.render(createElement(Follower));
  return { element, unmount: () => root.unmount() };
}

test("asks to sign in when the session has ended, then reopens the stream", async () => {
  status = 401;
  const { element, unmount } = mount();
  await expect.poll(() => Stream.opened).toHaveLength(1);
  Stream.opened[0]?.refuse();
  await expect.poll(() => element.textContent).toBe("asked");
  expect(Stream.opened).toHaveLength(1);
  endSignIn(true);
  await expect.poll(() => Stream.opened).toHaveLength(2);
  unmount();
});

test("reopens the stream some time after a busy server rejected it", async () => {
  status = 200;
  const { unmount } = mount();
  await expect.poll(() => Stream.opened).toHaveLength(1);
  vi.useFakeTimers();
  Stream.opened[0]?.refuse();
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  expect(Stream.opened).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(Stream.opened).toHaveLength(2);
  unmount();
});
