// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { createPreferenceStore } from "./preferences.ts";
import { resumePoints } from "./resume-points.ts";

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

beforeEach(() => localStorage.clear());

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
});

test("starts from the beginning if the browser stores nothing", () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(forbidden);
  resumePoints.save("a", 100, 600);
  expect(resumePoints.find("a")).toBeNull();
});

test("resumes a long video, except near its edges", () => {
  resumePoints.save("a", 100.9, 600);
  expect(resumePoints.find("a")).toBe(100);
  resumePoints.save("a", 5, 600);
  expect(resumePoints.find("a")).toBeNull();
  resumePoints.save("a", 100, 600);
  resumePoints.save("a", 595, 600);
  expect(resumePoints.find("a")).toBeNull();
  resumePoints.save("short", 20, 45);
  expect(resumePoints.find("short")).toBeNull();
});

test("retains the latest 100 positions", () => {
  for (let index = 0; index < 120; index += 1) resumePoints.save(`v${index}`, 50, 600);
  expect(resumePoints.find("v19")).toBeNull();
  expect(resumePoints.find("v20")).toBe(50);
  expect(resumePoints.find("v119")).toBe(50);
});
