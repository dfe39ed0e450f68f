import { expect, test } from "vitest";
import { createPreferenceStore } from "./preferences.ts";
import { createResumePoints } from "./resume-points.ts";

function memoryStorage(initial: Record<string, string> = {}): Storage {
  const map = new Map(Object.entries(initial));
  return {
    get length() {
      return map.size;
    },
    clear: () => map.clear(),
    getItem: (key) => map.get(key) ?? null,
    key: (index) => [...map.keys()][index] ?? null,
    removeItem: (key) => void map.delete(key),
    setItem: (key, value) => void map.set(key, value),
  };
}

const forbidden = (): Storage => {
  throw new DOMException("denied", "SecurityError");
};

test("remembers the volume, mute and speed between visits", () => {
  const storage = memoryStorage();
  createPreferenceStore(() => storage).write({ volume: 0.25, isMuted: true, rate: 1.5 });
  expect(createPreferenceStore(() => storage).read()).toMatchObject({
    volume: 0.25,
    isMuted: true,
    rate: 1.5,
    isFeedMuted: true,
  });
});

test.each(["{", "null", "[]", '"x"', '{"volume":7,"rate":"fast","isFeedMuted":1}'])(
  "ignores invalid saved settings: %s",
  (saved) => {
    const store = createPreferenceStore(() => memoryStorage({ "kinora.player": saved }));
    expect(store.read()).toMatchObject({ volume: 1, rate: 1, isFeedMuted: true });
  },
);

test("remembers settings until the page is closed if there is no storage", () => {
  const store = createPreferenceStore(forbidden);
  store.write({ volume: 0.5 });
  expect(store.read().volume).toBe(0.5);
  const points = createResumePoints(forbidden);
  points.save("a", 100, 600);
  expect(points.find("a")).toBeNull();
});

test("resumes a long video, except near its edges", () => {
  const points = createResumePoints(() => storage);
  const storage = memoryStorage();
  points.save("a", 100.9, 600);
  expect(points.find("a")).toBe(100);
  points.save("a", 5, 600);
  expect(points.find("a")).toBeNull();
  points.save("a", 100, 600);
  points.save("a", 595, 600);
  expect(points.find("a")).toBeNull();
  points.save("short", 20, 45);
  expect(points.find("short")).toBeNull();
});

test("retains the latest 100 positions", () => {
  const storage = memoryStorage();
  const points = createResumePoints(() => storage);
  for (let index = 0; index < 120; index += 1) points.save(`v${index}`, 50, 600);
  expect(points.find("v19")).toBeNull();
  expect(points.find("v20")).toBe(50);
  expect(points.find("v119")).toBe(50);
});
