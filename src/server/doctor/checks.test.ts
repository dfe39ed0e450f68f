import { expect, test } from "vitest";
import { migrations } from "../db/migrate.ts";
import { checkAddresses, checkDatabase, checkMedia } from "./checks.ts";
import type { Finding } from "./finding.ts";
import type { ServerState } from "./server-state.repository.ts";

const good: ServerState = {
  version: "18.4",
  maxConnections: 97,
  clockAheadS: 0.1,
  migrations: Object.keys(migrations),
  siteUrl: "https://video.example",
};
/** What is not ok, by subject. */
const wrong = (findings: Finding[]) =>
  Object.fromEntries(
    findings.filter(({ state }) => state !== "ok").map(({ about, state }) => [about, state]),
  );
const database = (state: Partial<ServerState>, webProcesses = 8) =>
  wrong(checkDatabase({ ...good, ...state }, { webProcesses }));

test("a database is judged by its schema, its connections and its clock", () => {
  expect(database({})).toEqual({});
  expect(database({ migrations: [] })).toEqual({ schema: "warning" });
  expect(database({ migrations: [...good.migrations, "2999_newer"] })).toEqual({
    schema: "failure",
  });
  expect(database({ maxConnections: 85 })).toEqual({ connections: "warning" });
  expect(database({ maxConnections: 85 }, 4)).toEqual({});
  expect(database({ clockAheadS: -3 })).toEqual({ clocks: "warning" });
});

test("addresses that visitors cannot use safely are named", () => {
  const address = (siteUrl: string, settingsUrl: string | null, trustProxy: string[] = []) =>
    wrong(checkAddresses({ siteUrl, trustProxy }, settingsUrl));
  expect(address("http://localhost:3000", null)).toEqual({ address: "warning" });
  expect(address("http://localhost:3000", "https://video.example", ["127.0.0.1"])).toEqual({});
  expect(address("https://video.example", null)).toEqual({ proxy: "warning" });
  expect(address("http://video.example", null)).toEqual({ address: "warning" });
});

test("media tools without a sandbox or with missing parts are named", () => {
  const report = {
    ...{ paths: { ffmpeg: "", ffprobe: "" }, version: "7.1", missing: [], line: null },
    ...{ hasZscale: true, hasWebp: true, hasDeinterlacer: true },
  };
  const bwrap = { level: "bwrap", description: "media sandbox: bwrap" } as const;
  const none = { level: "none", description: "no sandbox" } as const;
  expect(wrong(checkMedia({ ...report, degraded: [], sandbox: bwrap }))).toEqual({});
  expect(wrong(checkMedia({ ...report, degraded: ["libwebp"], sandbox: none }))).toEqual({
    ffmpeg: "warning",
    sandbox: "warning",
  });
});
