import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { findBinaries } from "./binaries.ts";
import { isClusterServer, parsePostmasterFile } from "./postmaster-file.ts";
import { checkReachable, findLaunch } from "./privileges.ts";
import { serverSettings } from "./running-server.ts";
import { socketDirFor, socketName } from "./socket-dir.ts";

test("reads the state of a server from postmaster.pid", () => {
  const text = "4711\n/data/postgres\n1763654019\n5432\n/tmp/kinora-ab\n\n   123 456\nready   \n";
  expect(parsePostmasterFile(text)).toEqual({
    pid: 4711,
    socketDir: "/tmp/kinora-ab",
    status: "ready",
  });
  expect(parsePostmasterFile("4711\n/data/postgres\n")?.status).toBe("unknown");
  expect(parsePostmasterFile("")).toBeNull();
  expect(parsePostmasterFile("-4711\n")).toBeNull();
});

test("rejects a process other than PostgreSQL as the cluster's server", async () => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "kinora-files-")));
  expect(await isClusterServer(process.pid, dir)).toBe(false);
  expect(await isClusterServer(process.pid, process.cwd())).toBe(false);
  await rm(dir, { recursive: true });
});

test("says what to do about a folder that the server's user can't enter", async () => {
  const launch = { ...(await findLaunch()), dropsUser: true, fileOwnerId: 65534 };
  const dir = await realpath(await mkdtemp(join(tmpdir(), "kinora-files-")));
  const remedy = "move Kinora's folder, for example to /opt/kinora";
  await expect(checkReachable(launch, join(dir, "postgres"), remedy)).rejects.toThrow(
    `can't open ${dir}. Start Kinora as an ordinary user, or move Kinora's folder, for example to /opt/kinora.`,
  );
  await rm(dir, { recursive: true });
});

test("finds a short enough socket path for data folders of any length", () => {
  const deep = `/srv/${"deep/".repeat(60)}postgres`;
  for (const tmp of [
    "/tmp",
    "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T",
    `/${"t".repeat(90)}`,
  ]) {
    const path = join(socketDirFor(deep, tmp), socketName);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(107);
  }
  expect(socketDirFor("/var/lib/kinora/postgres", "/private")).toBe("/var/lib/kinora/postgres-run");
  expect(socketDirFor(deep, "/tmp")).not.toBe(socketDirFor(`${deep}2`, "/tmp"));
  expect(socketDirFor(deep, "/tmp")).toBe(socketDirFor(deep, "/tmp"));
});

test("adapts memory settings to the machine", () => {
  const buffers = (bytes: number) => serverSettings("/tmp", true, bytes)["shared_buffers"];
  expect(buffers(1 * 1024 ** 3)).toBe("128MB");
  expect(buffers(16 * 1024 ** 3)).toBe("256MB");
});

test("names one socket folder, whatever characters it contains", () => {
  const value = serverSettings('/srv/a "b", c', true)["unix_socket_directories"];
  expect(value).toBe('"/srv/a ""b"", c"');
});

test.runIf(process.platform === "linux")(
  "asks for an external database on a system without glibc",
  async () => {
    const report = vi.spyOn(process.report, "getReport").mockReturnValue({ header: {} });
    await expect(findBinaries("/tmp")).rejects.toThrow(/needs glibc.* Set DATABASE_URL/);
    report.mockRestore();
  },
);
