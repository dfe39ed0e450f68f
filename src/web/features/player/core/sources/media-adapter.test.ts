// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { waitTurns } from "#test/harness/turns.ts";
import { createFileAdapter } from "./media-adapter.ts";

/** Codes of a `MediaError`, which happy-dom lacks. */
const codes = { MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3 };
const unsupportedCode = 4;

/** Returns the fault that an element's error leads to, or undefined if it leads to none. */
async function faultOf(code: number, { status = 206, isOnline = true } = {}) {
  vi.stubGlobal("MediaError", codes);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => {});
  const media = document.createElement("video");
  const onFault = vi.fn<(fault: string) => void>();
  const adapter = createFileAdapter({
    kind: "progressive",
    url: "/media/a.mp4",
    events: { onFault, onQualities: vi.fn(), onActiveLines: vi.fn() },
    isOnline: () => isOnline,
    probe: () => Promise.resolve(status),
  });
  adapter.attach(media, 0);
  Object.defineProperty(media, "error", { value: { code } });
  media.dispatchEvent(new Event("error"));
  await waitTurns();
  adapter.destroy();
  return onFault.mock.calls[0]?.[0];
}

test.each([
  ["offline, whatever the error", codes.MEDIA_ERR_DECODE, { isOnline: false }, "offline"],
  ["damage that the decoder found", codes.MEDIA_ERR_DECODE, {}, "corrupt"],
  ["a file that is gone", unsupportedCode, { status: 404 }, "missing"],
  ["a budget that is used up", codes.MEDIA_ERR_NETWORK, { status: 429 }, "limited"],
  ["a server without a response", codes.MEDIA_ERR_NETWORK, { status: 0 }, "stalled"],
  ["a connection that was lost for a moment", codes.MEDIA_ERR_NETWORK, {}, "stalled"],
  ["a format that the browser doesn't play", unsupportedCode, {}, "unsupported"],
  ["a load that the page aborted", codes.MEDIA_ERR_ABORTED, {}, undefined],
] as const)("reports %s", async (_name, code, given, fault) => {
  expect(await faultOf(code, given)).toBe(fault);
});

test("keeps the captions of the element when it loads the file again", () => {
  vi.spyOn(HTMLMediaElement.prototype, "load").mockImplementation(() => {});
  const media = document.createElement("video");
  media.append(document.createElement("source"), document.createElement("track"));
  const events = { onFault: vi.fn(), onQualities: vi.fn(), onActiveLines: vi.fn() };
  const adapter = createFileAdapter({ kind: "progressive", url: "/media/a.mp4", events });
  adapter.attach(media, 0);
  adapter.retry(5);
  expect(Array.from(media.children, ({ localName }) => localName)).toEqual(["track"]);
  adapter.destroy();
});
