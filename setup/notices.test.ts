import { expect, it } from "vitest";
import { renderNotices } from "./notices.ts";

it("lists the licences of the browser's packages once, and the server's packages by licence", () => {
  const [browser = "", server = ""] = renderNotices().split("# Installed on the server");
  for (const name of ["react-router", "@fontsource-variable/inter", "tus-js-client"]) {
    expect(browser).toMatch(new RegExp(`^## ${name} \\d[\\d.]* \\(.+\\)$`, "m"));
  }
  const count = (text: string) => browser.split(text).length;
  expect(count("Permission is hereby granted, free of charge")).toBeLessThan(count("(MIT)") / 2);
  expect(server).toMatch(/^MIT:\n[^:]*\bfastify \d/m);
  expect(server).not.toContain("vitest");
});
