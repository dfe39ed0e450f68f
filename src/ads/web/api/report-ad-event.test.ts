import { beforeEach, expect, test, vi } from "vitest";
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
  vi.mocked(callForEffect).mockReset().mockResolvedValue(undefined);
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

test("an impression whose token is refused is reported once more without it", async () => {
  vi.mocked(callForEffect).mockRejectedValueOnce(new ApiError(400, { code: "invalid" }));
  reportAdEvent(shown, "impression");
  await settle();
  expect(sent()).toEqual([
    ["/api/spots/ad/impression", { serve: "token", placement: "header" }],
    ["/api/spots/ad/impression", {}],
  ]);
});

test("later events, and failures of the connection, are not repeated", async () => {
  vi.mocked(callForEffect).mockRejectedValueOnce(new ApiError(400, { code: "invalid" }));
  reportAdEvent(shown, "viewable");
  await settle();
  vi.mocked(callForEffect).mockRejectedValueOnce(new TypeError("offline"));
  reportAdEvent(shown, "click");
  await settle();
  expect(sent().map(([path]) => path)).toEqual(["/api/spots/ad/event", "/api/spots/ad/click"]);
});
