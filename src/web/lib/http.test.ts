import { expect, test, vi } from "vitest";

/** A module in the state of a newly opened page. */
async function newPage() {
  vi.resetModules();
  return await import("./http.ts");
}

test("the first change goes alone, the others wait for its answer and then go together", async () => {
  const http = await newPage();
  const sent: string[] = [];
  const answers = new Map<string, () => void>();
  const change = (name: string) =>
    http.inTurn(() => {
      sent.push(name);
      return new Promise<void>((resolve) => answers.set(name, resolve));
    });
  const first = change("watch");
  const second = change("save");
  const third = change("like");
  await Promise.resolve();
  expect(sent).toEqual(["watch"]);
  answers.get("watch")?.();
  await first;
  await vi.waitFor(() => expect(sent).toEqual(["watch", "save", "like"]));
  answers.get("like")?.();
  await third;
  answers.get("save")?.();
  await second;
});

test("a first change that fails holds nobody up", async () => {
  const http = await newPage();
  const failing = http.inTurn(() => Promise.reject(new TypeError("off-line")));
  const next = http.inTurn(() => Promise.resolve("saved"));
  await expect(failing).rejects.toThrow("off-line");
  await expect(next).resolves.toBe("saved");
});
