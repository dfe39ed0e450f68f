// @vitest-environment happy-dom
import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

const saved = JSON.stringify({
  id: "0b5f6f0e-6d0e-4a7e-9a53-6b1a2f5f9d01",
  email: "ada@example.com",
  name: "Ada",
  role: "ADMIN",
});
const start = async () => {
  const { startSession } = await import("./session.ts");
  startSession();
};

afterEach(() => {
  vi.doUnmock("./saved-user.ts");
  vi.resetModules();
  localStorage.clear();
});

test("removes a damaged saved user", async () => {
  localStorage.setItem("user", `${saved}}`);
  await start();
  await expect.poll(() => localStorage.getItem("user")).toBeNull();
});

test("keeps the user if another tab damages the saved one, and repairs it", async () => {
  localStorage.setItem("user", saved);
  const { startSession, remembersUser, useSession } = await import("./session.ts");
  startSession();
  const shown = renderHook(useSession);
  await waitFor(() => expect(shown.result.current.user?.name).toBe("Ada"));
  localStorage.setItem("user", "[object Object]");
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "user" })));
  await waitFor(() => expect(localStorage.getItem("user")).toBe(saved));
  expect(shown.result.current.user?.name).toBe("Ada");
  expect(remembersUser()).toBe(true);
});

test("keeps the saved user if the script that reads it fails to load", async () => {
  vi.doMock("./saved-user.ts", () => {
    throw new TypeError("Failed to fetch");
  });
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  localStorage.setItem("user", saved);
  await start();
  await expect.poll(() => warned.mock.calls.length).toBe(1);
  expect(localStorage.getItem("user")).toBe(saved);
});
