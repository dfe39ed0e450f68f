import { expect, it } from "vitest";
import { isSharedOrigin } from "./public-suffix.ts";

it.each([
  "https://*.github.io",
  "https://github.io",
  "https://*.co.uk",
  "https://co.uk",
  "https://*.com",
  "https://*.s3.amazonaws.com",
  "https://*.pages.dev:8443",
  "https://*.blogspot.com",
])("detects that anyone can register below %s", (origin) => {
  expect(isSharedOrigin(origin)).toBe(true);
});

it.each([
  "https://cdn.example.com",
  "https://*.example.com",
  "https://*.example.co.uk",
  "https://someone.github.io",
  "https://*.someone.github.io",
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "https://adserver",
])("accepts %s", (origin) => {
  expect(isSharedOrigin(origin)).toBe(false);
});
