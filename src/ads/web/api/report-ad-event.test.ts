import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ApiError, callForEffect } from "#web/lib/api/http.ts";
import { reportAdEvent } from "./report-ad-event.ts";

vi.mock("#web/lib/api/http.ts", async (original) => ({
  ...(await original<object>()),
  callForEffect: vi.fn(),
}));

const shown = { adId: "ad", serve: "token", placement: "header" } as const;
const sent = () => vi.mocked(callForEffect).mock.calls.map(([path, init]) => [path, init?.body]);
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  vi.stubGlobal("window", { location: { pathname: "/video/loom" } });
  vi.mocked(callForEffect).mockReset().mockResolvedValue(undefined);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test("resends an impression once without its token if the token is rejected", async () => {
  vi.mocked(callForEffect).mockRejectedValueOnce(new ApiError(400, { code: "invalid" }));
  reportAdEvent(shown, "impression");
  await settle();
  expect(sent()).toEqual([
    ["/api/spots/ad/impression", { serve: "token", placement: "header" }],
    ["/api/spots/ad/impression", {}],
  ]);
});

test("reports the embed as the origin, and sends the stored visitor", async () => {
  const location = { pathname: "/embed/loom" };
  vi.stubGlobal("window", { location, localStorage: { getItem: () => "visitor.signed" } });
  reportAdEvent({ ...shown, serve: "embedded" }, "impression");
  await settle();
  const [, init] = vi.mocked(callForEffect).mock.calls[0] ?? [];
  expect(init?.body).toEqual({ serve: "embedded", placement: "header", origin: "embed" });
  expect(init?.headers).toEqual({ "x-visitor": "visitor.signed" });
});

test("only logs failures, and doesn't resend later events or after failed connections", async () => {
  const other = { ...shown, serve: "other" };
  vi.mocked(callForEffect).mockRejectedValueOnce(new ApiError(400, { code: "invalid" }));
  reportAdEvent(other, "start");
  await settle();
  vi.mocked(callForEffect).mockRejectedValueOnce(new TypeError("offline"));
  reportAdEvent(other, "click");
  await settle();
  expect(sent().map(([path]) => path)).toEqual(["/api/spots/ad/event", "/api/spots/ad/click"]);
  expect(vi.mocked(console.warn).mock.calls.map(([text]) => text)).toEqual([
    "an ad's event was not counted",
    "an ad's event was not counted",
  ]);
});

test("delays an event until earlier ones are sent, and `viewable` until a second after the impression", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let respond = () => {};
  const response = new Promise<void>((resolve) => (respond = resolve));
  vi.mocked(callForEffect).mockReturnValueOnce(response);
  const slow = { ...shown, serve: "slow" };
  for (const event of ["impression", "viewable", "start", "click"] as const) {
    reportAdEvent(slow, event);
  }
  await vi.advanceTimersByTimeAsync(3000);
  expect(sent().map(([path]) => path)).toEqual(["/api/spots/ad/impression"]);
  respond();
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent().slice(1)).toEqual([
    ["/api/spots/ad/event", { serve: "slow", placement: "header", event: "start" }],
    ["/api/spots/ad/click", { serve: "slow", placement: "header" }],
  ]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent().at(-1)?.[1]).toMatchObject({ event: "viewable" });
});
