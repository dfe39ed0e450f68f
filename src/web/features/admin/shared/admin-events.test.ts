// @vitest-environment happy-dom
import { act, render, screen, waitFor } from "@testing-library/react";
import { createElement } from "react";
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

test("asks to sign in when the session has ended, then reopens the stream", async () => {
  status = 401;
  render(createElement(Follower));
  await waitFor(() => expect(Stream.opened).toHaveLength(1));
  Stream.opened[0]?.refuse();
  await screen.findByText("asked");
  expect(Stream.opened).toHaveLength(1);
  act(() => endSignIn(true));
  await waitFor(() => expect(Stream.opened).toHaveLength(2));
});

test("reopens the stream some time after a busy server rejected it", async () => {
  status = 200;
  render(createElement(Follower));
  await waitFor(() => expect(Stream.opened).toHaveLength(1));
  vi.useFakeTimers();
  Stream.opened[0]?.refuse();
  await vi.waitUntil(() => vi.getTimerCount() === 1, 30_000);
  expect(Stream.opened).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(Stream.opened).toHaveLength(2);
});
