import { spawn, spawnSync } from "node:child_process";
import {
  chmod,
  chown,
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { measureFolder } from "../run-process.ts";
import { createProcessRunner } from "../run-process.ts";
import type { HostileReport } from "./hostile-run.fixture.ts";
import { maxSharedProcesses } from "./limit-command.ts";
import { createSandbox } from "./sandbox.ts";
import { createSeccompFilter } from "./seccomp-filter.ts";
import { findProgramFiles } from "./visible-files.ts";

// Each sandbox starts a thousand processes.
vi.setConfig({ testTimeout: 240_000 });

const isRoot = process.getuid?.() === 0;
const otherUserId = 65534;
const fixture = path.join(import.meta.dirname, "hostile-run.fixture.ts");

const limits = {
  addressSpaceBytes: 2 ** 32,
  rssBytes: 2 ** 30,
  cpuS: 20,
  wallS: 60,
  outputBytes: 1e6,
};

let folder = "";
let canary = "";
let socketServer: Server;
let tcpServer: Server;
let connections = 0;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kinora-sandbox-"));
  await chmod(folder, 0o755);
  canary = path.join(folder, "canary");
  // All users may read it, so only the sandbox can hide it.
  await writeFile(canary, "canary", { mode: 0o644 });
  const listen = (target: string | number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.on("error", () => undefined).end();
      });
      if (typeof target === "string") server.listen(target, () => resolve(server));
      else server.listen(target, "127.0.0.1", () => resolve(server));
    });
  socketServer = await listen(path.join(folder, "open.sock"));
  await chmod(path.join(folder, "open.sock"), 0o777);
  tcpServer = await listen(0);
});
afterAll(async () => {
  socketServer.close();
  tcpServer.close();
  await rm(folder, { recursive: true, force: true });
});

/** Attacks of a program that has taken over the media tool. It runs in place of ffmpeg. */
const attackScript = `
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
const plan = JSON.parse(readFileSync(process.argv[2], "utf8"));
const attempt = (run) => { try { run(); return "done"; } catch (error) { return error.code; } };
const dial = (target) => new Promise((resolve) => {
  try {
    const socket = connect(target, () => resolve("done"));
    socket.on("error", (error) => resolve(error.code));
  } catch (error) { resolve(error.code); }
});
const pids = attempt(() => readdirSync("/proc")) === "done"
  ? readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name)).map(Number) : [];
console.log(JSON.stringify({
  uid: process.getuid(),
  root: readdirSync("/"),
  readCanary: attempt(() => readFileSync(plan.canary)),
  readShadow: attempt(() => readFileSync("/etc/shadow")),
  listData: attempt(() => readdirSync(plan.databaseFolder)),
  writeBeside: attempt(() => writeFileSync(plan.canary + "-2", "x")),
  writeInput: attempt(() => writeFileSync(process.argv[2], "x")),
  writeOutput: attempt(() => writeFileSync("written", "x")),
  dialDatabase: await dial(plan.databaseSocket),
  dialSocket: await dial(plan.socket),
  dialServer: await dial({ host: "127.0.0.1", port: plan.port }),
  killHost: attempt(() => process.kill(plan.pid, 0)),
  processes: pids.map((pid) => readFileSync("/proc/" + pid + "/comm", "utf8").trim()),
}));
`;

async function runHostile(level: string, userId: number | null): Promise<HostileReport> {
  const own = await mkdtemp(path.join(folder, "job-"));
  await mkdir(path.join(own, "output"));
  const address = tcpServer.address();
  const databaseFolder = inject("testEngine").socketDir;
  await writeFile(path.join(own, "attack.mjs"), attackScript);
  await writeFile(
    path.join(own, "attack.json"),
    JSON.stringify({
      canary,
      databaseFolder,
      databaseSocket: path.join(databaseFolder, ".s.PGSQL.5432"),
      socket: path.join(folder, "open.sock"),
      port: typeof address === "object" ? address?.port : 0,
      pid: process.pid,
    }),
  );
  const user = userId === null ? {} : { uid: userId, gid: userId };
  if (userId !== null) {
    for (const each of ["", "output", "attack.mjs", "attack.json"]) {
      await chown(path.join(own, each), userId, userId);
    }
  }
  const child = spawn(process.execPath, [fixture, level, own], {
    ...user,
    cwd: own,
    env: { PATH: process.env["PATH"], TMPDIR: own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise((resolve) => child.on("close", resolve));
  if (output === "") throw new Error(errors);
  return JSON.parse(output);
}

async function countProcesses(command: string): Promise<number> {
  const lines = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line === command).length;
}

const seen = z.object({ root: z.array(z.string()), processes: z.array(z.string()) });

const cases: { level: string; who: string; userId: number | null }[] = ["bwrap", "unshare"].flatMap(
  (level) => [
    { level, who: isRoot ? "root" : "this user", userId: null },
    ...(isRoot ? [{ level, who: "another user", userId: otherUserId }] : []),
  ],
);

test.for(cases)(
  "contains a hostile program started by $who ($level)",
  async ({ level, userId }, context) => {
    const before = connections;
    const report = await runHostile(level, userId);
    if (report.description === null) context.skip(`this machine does not allow ${level}`);
    expect(report.description).toMatch(new RegExp(`^media sandbox: ${level}, `));
    expect(report.attack).toMatchObject({
      uid: 65533,
      readCanary: "ENOENT",
      readShadow: "ENOENT",
      listData: "ENOENT",
      writeBeside: expect.stringMatching(/^(EROFS|EACCES|ENOENT)$/),
      writeInput: expect.stringMatching(/^(EROFS|EACCES)$/),
      writeOutput: "done",
      dialDatabase: expect.not.stringMatching("done"),
      dialSocket: expect.not.stringMatching("done"),
      dialServer: expect.not.stringMatching("done"),
      killHost: "ESRCH",
    });
    const { root, processes } = seen.parse(report.attack);
    // The program's own folder is visible, wherever this checkout is.
    const own = process.execPath.split("/")[1] ?? "";
    expect(root.filter((name) => name !== own)).not.toContain("home");
    expect(root.filter((name) => name !== own)).not.toContain("var");
    for (const name of processes) expect(name).toMatch(/^(bwrap|sh|node|MainThread)$/);
    expect(connections).toBe(before);

    expect(report.forks).toBeGreaterThan(10);
    expect(report.forks).toBeLessThanOrEqual(maxSharedProcesses);
    expect(report.bombKill === "processes" || /fork/i.test(report.forkError ?? "")).toBe(true);
    expect(await countProcesses("sleep\u000097.5\u0000")).toBe(0);
    expect(report.largestFile).toBe(2_000_000);
    expect(report.diskKill).toBe("disk");
  },
);

test("lets the same program reach everything without a sandbox and reports that there is none", async () => {
  const script = path.join(folder, "free.mjs");
  await writeFile(
    script,
    `import fs from "node:fs"; console.log(fs.readFileSync(process.argv[2], "utf8"))`,
  );
  const sandbox = await createSandbox(folder, ["none"]);
  expect(sandbox.description).toMatch(/^no sandbox: /);
  const result = await createProcessRunner(sandbox).run({
    program: process.execPath,
    args: [script, canary],
    cwd: folder,
    limits: { addressSpaceBytes: 2 ** 45, rssBytes: 2 ** 40, cpuS: 60, wallS: 60, outputBytes: 0 },
  });
  expect(result.stdout.toString().trim()).toBe("canary");
});

test.runIf(isRoot)("runs a program that a system folder only links to", async () => {
  const target = path.join(folder, "linked tool");
  const link = `/usr/local/bin/kinora-linked-tool-${process.pid}`;
  await copyFile("/bin/echo", target);
  await symlink(target, link);
  try {
    const result = await createProcessRunner(await createSandbox(folder)).run({
      program: path.basename(link),
      args: ["done"],
      cwd: folder,
      limits: {
        addressSpaceBytes: 2 ** 32,
        rssBytes: 2 ** 30,
        cpuS: 20,
        wallS: 60,
        outputBytes: 0,
      },
    });
    expect(result.stdout.toString()).toBe("done\n");
  } finally {
    await rm(link);
  }
});

test.runIf(process.platform === "linux")(
  "finds libraries outside the system's folders of a program inside them",
  async () => {
    const [, library = ""] =
      /=> (\S+\/libc\S+)/.exec(spawnSync("ldd", ["/bin/tac"]).stdout.toString()) ?? [];
    const copy = path.join(folder, path.basename(library));
    await copyFile(library, `${copy}.real`);
    await symlink(`${copy}.real`, copy);
    vi.stubEnv("LD_LIBRARY_PATH", folder);
    const { files } = findProgramFiles("tac", "/usr/bin:/bin");
    vi.unstubAllEnvs();
    expect(files).toEqual([copy, `${copy}.real`]);
  },
);

test("removes links from a tool's output folder and fails the run", async () => {
  const outputDir = await mkdtemp(path.join(folder, "links-"));
  await mkdir(path.join(outputDir, "deep"));
  const runner = createProcessRunner(await createSandbox(folder, ["none"]));
  await expect(
    runner.run({
      program: "sh",
      args: ["-c", "ln -s /etc/shadow quick.mp4; ln -s /etc deep/hls; mkfifo pipe; echo x >file"],
      cwd: outputDir,
      outputDir,
      limits: {
        addressSpaceBytes: 2 ** 32,
        rssBytes: 2 ** 30,
        cpuS: 20,
        wallS: 20,
        outputBytes: 1e6,
      },
    }),
  ).rejects.toThrow("something other than files");
  expect((await readdir(outputDir, { recursive: true })).toSorted()).toEqual(["deep", "file"]);
});

test.runIf(isRoot)("refuses a linked input under root", async () => {
  const link = path.join(folder, "link");
  await symlink(canary, link);
  const sandbox = await createSandbox(folder);
  if (!sandbox.description.includes("a user of its own")) return;
  const limits = { addressSpaceBytes: 2 ** 32, cpuS: 20, outputBytes: 0 };
  const run = {
    program: "cat",
    args: [link],
    cwd: folder,
    outputDir: null,
    limits,
    isUrgent: true,
    isLowPriority: false,
  };
  await expect(sandbox.wrap({ ...run, inputs: [link] })).rejects.toThrow("ELOOP");
  expect((await stat(canary)).uid).toBe(0);
});

test.runIf(isRoot)("keeps its user if the disk of the files refuses other owners", async () => {
  const root = path.join(folder, "refuses owners");
  await mkdir(root);
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { chown: change } = prototype;
  vi.spyOn(prototype, "chown").mockImplementation(async function refuse(this: FileHandle, ...ids) {
    const opened = await readlink(`/proc/self/fd/${this.fd}`);
    if (opened.startsWith(root)) throw new Error("EPERM: operation not permitted, fchown");
    return change.apply(this, ids);
  });
  const usual = await createSandbox(folder);
  const sandbox = await createSandbox(folder, undefined, { fileRoot: root });
  if (usual.description.includes("a user of its own")) expect(sandbox.weakness).toContain("EPERM");
  const outputDir = await mkdtemp(path.join(root, "output-"));
  await createProcessRunner(sandbox).run({
    program: "sh",
    args: ["-c", "echo done >out"],
    cwd: outputDir,
    outputDir,
    limits,
  });
  expect(await readFile(path.join(outputDir, "out"), "utf8")).toBe("done\n");
});

test.runIf(isRoot)("keeps the sandbox if the disk of the files is full", async (context) => {
  const full = await created(path.join(folder, "full"));
  // The only inode is that of the folder.
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "nr_inodes=1", "none", full]);
  context.skip(mounted.status !== 0, "this user may not mount a disk");
  try {
    const sandbox = await createSandbox(folder, undefined, { fileRoot: full });
    const usual = await createSandbox(folder);
    expect([sandbox.description, sandbox.weakness]).toEqual([usual.description, usual.weakness]);
    await expect(createSandbox(full)).rejects.toThrow(/ENOSPC|disk .* full/);
  } finally {
    spawnSync("umount", [full]);
  }
});

test.runIf(isRoot)("holds below every folder that a site may be in", async () => {
  const name = `kinora-sandbox-${process.pid}`;
  const link = path.join(folder, "a link");
  const mount = path.join(folder, "mount");
  const parents = ["/home", "/root", "/srv", tmpdir()].map((each) => path.join(each, name));
  const roots = [
    ...parents.map((each) => path.join(each, "kinora/data")),
    path.join(parents[0] ?? "", "Ünïted übers & 'quotes'/data"),
    path.join(link, "data"),
    mount,
  ];
  // What this machine allows, wherever the site is.
  const expected = await createSandbox(folder);
  const canMount = spawnSync("mount", ["-t", "tmpfs", "none", await created(mount)]).status === 0;
  try {
    await created(parents[1] ?? "");
    await symlink(parents[1] ?? "", link);
    for (const root of canMount ? roots : roots.slice(0, -1)) {
      await created(root);
      const beside = path.join(path.dirname(root), "beside");
      await writeFile(beside, "private", { mode: 0o644 });
      const sandbox = await createSandbox(root);
      expect([root, sandbox.level, sandbox.weakness]).toEqual([
        root,
        expected.level,
        expected.weakness,
      ]);
      const outputDir = await mkdtemp(path.join(root, "output-"));
      const result = await createProcessRunner(sandbox).run({
        program: "sh",
        args: ["-c", 'cat "$1" && echo read; ls -A /home /root; echo done >out', "sh", beside],
        cwd: outputDir,
        outputDir,
        limits,
      });
      expect(result.stdout.toString()).not.toMatch(/private|read|beside/);
      expect(await readFile(path.join(outputDir, "out"), "utf8")).toBe("done\n");
    }
  } finally {
    if (canMount) spawnSync("umount", [mount]);
    for (const each of parents) await rm(each, { recursive: true, force: true });
  }
});

async function created(at: string): Promise<string> {
  await mkdir(at, { recursive: true });
  return at;
}

test("measures a tool's output without following links", async () => {
  const at = await mkdtemp(path.join(folder, "measure-"));
  await writeFile(path.join(at, "a"), Buffer.alloc(10_000));
  await symlink("/", path.join(at, "everything"));
  expect(await measureFolder(at)).toEqual({
    bytes: 10_000,
    others: [path.join(at, "everything")],
  });
});

test("creates a seccomp filter for both architectures", () => {
  for (const arch of ["x64", "arm64"]) {
    const filter = createSeccompFilter(arch);
    // The kernel accepts at most 4096 instructions of 8 bytes.
    expect((filter?.length ?? 1) % 8).toBe(0);
    expect(filter?.length).toBeGreaterThan(100 * 8);
    expect(filter?.length).toBeLessThan(4096 * 8);
  }
  expect(createSeccompFilter("riscv64")).toBeNull();
});
