import { expect, test, vi } from "vitest";

/** Imports the module in the state of a newly opened page. */
async function newPage() {
  vi.resetModules();
  return await import("./http.ts");
}

test("sends the first change alone and the others in parallel after its response", async () => {
  const http = await newPage();
  const sent: string[] = [];
  const finish = new Map<string, () => void>();
  const change = (name: string) =>
    http.inTurn(() => {
      sent.push(name);
      return new Promise<void>((resolve) => finish.set(name, resolve));
    });
  const first = change("watch");
  const second = change("save");
  const third = change("like");
  await Promise.resolve();
  expect(sent).toEqual(["watch"]);
  finish.get("watch")?.();
  await first;
  await expect.poll(() => sent).toEqual(["watch", "save", "like"]);
  finish.get("like")?.();
  await third;
  finish.get("save")?.();
  await second;
});

test("sends the next change after the first one has failed", async () => {
  const http = await newPage();
  const failing = http.inTurn(() => Promise.reject(new TypeError("off-line")));
  const next = http.inTurn(() => Promise.resolve("saved"));
  await expect(failing).rejects.toThrow("off-line");
  await expect(next).resolves.toBe("saved");
});

test("gives up on a change without a response and sends the next one", async () => {
  const http = await newPage();
  const limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(limit.signal);
  const sent: string[] = [];
  vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) => {
    sent.push(path);
    if (path !== "/lost") return Promise.resolve(new Response());
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  });
  const lost = http.callForEffect("/lost", { method: "POST" });
  const next = http.callForEffect("/next", { method: "POST" });
  expect(sent).toEqual(["/lost"]);
  limit.abort(new DOMException("late", "TimeoutError"));
  await expect(lost).rejects.toThrow("late");
  await next;
  expect(sent).toEqual(["/lost", "/next"]);
  vi.unstubAllGlobals();
});
