// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from "vitest";
import { startTransfer } from "./part-transfer.ts";

interface Reply {
  status: number;
  headers?: Record<string, string>;
}

/** Responds to the requests of a transfer, in order. Returns the sent ones with their offsets. */
function stubRequests(replies: Reply[]): string[] {
  // In tests, the import would load the build for Node, which accepts no Blob.
  const browserBuild = "tus-js-client/lib.esm/browser/index.js";
  vi.doMock("tus-js-client", () => import(browserBuild));
  onTestFinished(() => vi.doUnmock("tus-js-client"));
  const sent: string[] = [];
  class Request {
    readonly upload = {};
    readonly responseText = "";
    status = 0;
    #line = "";
    #headers: Record<string, string> = {};
    onload?: () => void;
    open(method: string, url: string): void {
      this.#line = `${method} ${new URL(url, window.location.href).pathname}`;
    }
    setRequestHeader(name: string, value: string): void {
      if (name === "Upload-Offset") this.#line += ` from ${value}`;
    }
    getResponseHeader = (name: string) => this.#headers[name] ?? null;
    send(): void {
      sent.push(this.#line);
      const { status, headers = {} } = replies.shift() ?? { status: 404 };
      this.status = status;
      this.#headers = headers;
      queueMicrotask(() => this.onload?.());
    }
  }
  vi.stubGlobal("XMLHttpRequest", Request);
  return sent;
}

it.each([
  [502, 502],
  [502, 429],
  [408, 503],
])("resumes at the received bytes after the statuses %i and %i", async (first, second) => {
  const sent = stubRequests([
    { status: 201, headers: { Location: "/api/uploads/one" } },
    { status: first },
    { status: second },
    { status: 200, headers: { "Upload-Offset": "6", "Upload-Length": "9" } },
    { status: 204, headers: { "Upload-Offset": "9" } },
  ]);
  const events = { onUrl: vi.fn(), onProgress: vi.fn(), onWaiting: vi.fn() };
  const about = { name: "clip.mp4", type: "video/mp4", uploadUrl: null };
  await startTransfer(new Blob(["123456789"]), about, events).done;
  expect(sent).toEqual([
    "POST /api/uploads",
    "PATCH /api/uploads/one from 0",
    "HEAD /api/uploads/one",
    "HEAD /api/uploads/one",
    "PATCH /api/uploads/one from 6",
  ]);
});
