import { ServerResponse, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createForgedSessionLimit } from "./forged-sessions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

it("serves 50 requests with forged sessions in a second at once, and delays the others", () => {
  const limit = createForgedSessionLimit();
  const respond = vi.fn();
  for (let n = 0; n < 80; n += 1) limit.pass(newResponse(), respond);
  expect(respond).toHaveBeenCalledTimes(50);
  vi.advanceTimersByTime(249);
  expect(respond).toHaveBeenCalledTimes(50);
  vi.advanceTimersByTime(1);
  expect(respond).toHaveBeenCalledTimes(80);
  vi.advanceTimersByTime(1000);
  limit.pass(newResponse(), respond);
  expect(respond).toHaveBeenCalledTimes(81);
});

it("refuses requests while a thousand are delayed, and forgets those whose client has gone", () => {
  const limit = createForgedSessionLimit();
  const respond = vi.fn();
  const waiting = Array.from({ length: 1050 }, newResponse);
  for (const response of waiting) limit.pass(response, respond);
  const refused = newResponse();
  limit.pass(refused, respond);
  expect(refused.statusCode).toBe(429);
  expect(refused.writableEnded).toBe(true);
  for (const response of waiting.slice(50)) response.destroy();
  vi.advanceTimersByTime(1000);
  expect(respond).toHaveBeenCalledTimes(50);
  limit.pass(newResponse(), respond);
  expect(respond).toHaveBeenCalledTimes(51);
});
