import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isRoot } from "../harness/daemon.ts";
import { findFreePort, root } from "../harness/server-process.ts";

/**
 * Id of a user that every Debian system has, used instead of `kinora`. initdb looks up its name.
 */
const user = Number(spawnSync("id", ["-u", "daemon"]).stdout);
/**
 * Sandbox that systemd sets up for a unit with PrivateTmp and ProtectSystem=strict. The folders in
 * the first arguments stay writable.
 */
const sandbox = `
  set -e
  mount -t tmpfs tmpfs /tmp
  mount -t tmpfs tmpfs /var/tmp
  mount -o remount,bind,ro /
  for folder in $WRITABLE; do mount --bind $folder $folder; mount -o remount,bind,rw $folder; done
  cd "$FOLDER"
  exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs sh -c "exec $COMMAND"`;
/** Also false for a repository below /tmp, which units can't see. */
const canUnshare =
  isRoot &&
  spawnSync("unshare", ["--mount", "sh", "-c", `mount -t tmpfs tmpfs /tmp && cd "${root}"`])
    .status === 0;

let folder: string;
let port: number;
let service: ChildProcess | null = null;

interface Unit {
  environment: Record<string, string>;
  writable: string[];
  commands(name: string): string[];
}

/** Returns a unit from `deploy` with this machine's folders and programs. */
function readUnit(name: string): Unit {
  const text = readFileSync(join(root, "deploy/systemd", name), "utf8")
    .replaceAll("/var/lib/kinora", join(folder, "data"))
    .replaceAll("/var/backups/kinora", join(folder, "backups"))
    .replaceAll("/opt/kinora", root.replace(/\/$/, ""))
    .replaceAll("/usr/bin/node", process.execPath)
    .replaceAll(/--(owner|group)=kinora/g, `--$1=${user}`)
    .replaceAll("%%", "%")
    .replaceAll("$$", "$");
  const linesOf = (key: string) =>
    Array.from(text.matchAll(new RegExp(`^${key}=(.*)$`, "gm")), ([, value = ""]) => value);
  expect(linesOf("PrivateTmp")).toEqual(["true"]);
  expect(linesOf("ProtectSystem")).toEqual(["strict"]);
  return {
    environment: Object.fromEntries(
      linesOf("Environment").flatMap((line) => line.split(" ").map((pair) => pair.split("="))),
    ),
    writable: [join(folder, "data"), ...linesOf("ReadWritePaths").map((path) => path.slice(1))],
    commands: linesOf,
  };
}

const commonEnv = () => ({
  PATH: process.env["PATH"],
  HOST: "127.0.0.1",
  PORT: String(port),
  LOG_LEVEL: "warn",
  WEB_PROCESSES: "1",
});

function startInUnit(unit: Unit, command: string): ChildProcess {
  if (command.startsWith("+")) {
    return spawn("sh", ["-c", command.slice(1)], { stdio: "inherit" });
  }
  const args = ["--mount", "--propagation", "private", "sh", "-c", sandbox];
  return spawn("unshare", args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...commonEnv(),
      ...unit.environment,
      WRITABLE: unit.writable.join(" "),
      FOLDER: root,
      COMMAND: command,
    },
  });
}

/** Runs a command as a user would in a shell next to the service. */
const shell = (uid: number, ...args: string[]) =>
  promisify(execFile)(process.execPath, ["src/server/admin-cli.ts", ...args], {
    cwd: root,
    uid,
    gid: uid,
    env: { ...commonEnv(), DATA_DIR: join(folder, "data"), PASSWORD: "a good password" },
  });

beforeAll(async () => {
  if (!canUnshare) return;
  // Not below /tmp, which the units can't see.
  folder = await mkdtemp("/var/lib/kinora-units-");
  await chmod(folder, 0o711);
  await mkdir(join(folder, "data"), { mode: 0o711 });
  await chown(join(folder, "data"), user, user);
  port = await findFreePort();
  // Prepares the site as the unit's comment says, because the service may not write there.
  const prepare = spawnSync(process.execPath, ["setup/start.mjs", "--prepare"], { cwd: root });
  if (prepare.status !== 0) throw new Error(prepare.stderr.toString());
}, 600_000);
afterAll(async () => {
  if (!canUnshare) return;
  if (service !== null && service.exitCode === null) {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    await ended;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
});

test.skipIf(!canUnshare)(
  "runs the backup unit, admin and doctor beside the service and its embedded database",
  async () => {
    const unit = readUnit("kinora.service");
    unit.environment["DRAIN_SECONDS"] = "0";
    service = startInUnit(unit, unit.commands("ExecStart")[0] ?? "");
    const isReady = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      expect(response.status).toBe(200);
    };
    const ended = once(service, "exit").then(() => expect.unreachable("the service ended"));
    await Promise.race([vi.waitFor(isReady, { timeout: 240_000, interval: 500 }), ended]);
    ended.catch(() => undefined);

    const backup = readUnit("kinora-backup.service");
    for (const key of ["ExecStartPre", "ExecStart", "ExecStartPost"]) {
      for (const command of backup.commands(key)) {
        const [code] = await once(startInUnit(backup, command), "exit");
        expect([command, code]).toEqual([command, 0]);
      }
    }
    expect(await readdir(join(folder, "backups"))).toEqual([expect.stringMatching(/^[1-7]\.tar$/)]);

    for (const uid of [user, 0]) {
      const email = `user${uid}@example.com`;
      await shell(uid, "create", email);
      expect((await shell(uid, "list")).stdout).toContain(email);
      expect((await shell(uid, "doctor")).stdout).toMatch(/^ok {7}database: PostgreSQL 18/m);
    }
    // Files created by root remain accessible to the service.
    await isReady();
    expect(spawnSync("find", [join(folder, "data/postgres"), "-uid", "0"]).stdout.toString()).toBe(
      "",
    );
  },
  600_000,
);
