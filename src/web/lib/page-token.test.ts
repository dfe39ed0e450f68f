// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";

test("takes the token out of the document, so that only memory contains it", async () => {
  document.head.innerHTML = '<meta name="page-token" content="secret">';
  vi.resetModules();
  const { hasPageToken, pageTokenHeaders, sealOf } = await import("./page-token.ts");
  expect(pageTokenHeaders()).toEqual({ "x-page-token": "secret" });
  expect(document.documentElement.outerHTML).not.toContain("secret");
  expect(hasPageToken()).toBe(true);
  expect(
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  ).not.toContain("secret");
  const seal = await sealOf("text");
  expect(seal).toMatch(/^[\da-f]{64}$/);
  expect(await sealOf("other")).not.toBe(seal);
});

test("sends no header and seals nothing outside the back office", async () => {
  document.head.innerHTML = "";
  vi.resetModules();
  const { hasPageToken, pageTokenHeaders, sealOf } = await import("./page-token.ts");
  expect([hasPageToken(), pageTokenHeaders(), await sealOf("text")]).toEqual([false, {}, ""]);
});

test("seals nothing where browsers offer no cryptography", async () => {
  document.head.innerHTML = '<meta name="page-token" content="secret">';
  vi.resetModules();
  const { sealOf } = await import("./page-token.ts");
  vi.stubGlobal("crypto", {});
  expect(await sealOf("text")).toBe("");
  vi.unstubAllGlobals();
});
