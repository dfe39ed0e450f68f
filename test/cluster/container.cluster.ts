import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { toConnectionString } from "#server/db/connection.ts";
import { createEmptyDatabase, type TestDatabase } from "../database.ts";
import { readImageEnv } from "../harness/image-env.ts";
import { listDescendants } from "../harness/process-tree.ts";
import { findFreePort, root } from "../harness/server-process.ts";

const run = promisify(execFile);

interface Instruction {
  name: string;
  value: string;
}

/** Instructions of the build stages and the runtime stage. */
async function readStages(): Promise<[Instruction[], Instruction[]]> {
  const text = await readFile(join(root, "deploy/container/Containerfile"), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const all = lines.map((line) => {
    const [, name = "", value = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const last = all.findLastIndex(({ name }) => name === "FROM");
  return [all.slice(0, last), all.slice(last)];
}

const valuesOf = (stage: Instruction[], name: string) =>
  stage.filter((one) => one.name === name).map(({ value }) => value);

let folder: string;
let database: TestDatabase;
let server: ChildProcess | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-container-"));
  database = await createEmptyDatabase();
});
afterAll(async () => {
  if (server !== null && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
  }
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

// Installs and builds everything like a container engine, which takes minutes on a busy machine.
test("builds a site from the container file that runs read-only and without root", async () => {
  const [build, final] = await readStages();
  const app = join(folder, "app");
  await mkdir(app);
  // `COPY . /context` copies the repository.
  const context = join(folder, "context");
  execFileSync("git", ["clone", "--quiet", "--no-checkout", root, context]);

  const nodeFolder = dirname(process.execPath);
  const path = `${nodeFolder}:${process.env["PATH"]}`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  for (const step of valuesOf(build, "RUN").filter((one) => !one.startsWith("apt-get "))) {
    await run("sh", ["-c", step.replaceAll("/context", context)], {
      cwd: app,
      env: { ...env, PATH: path, NODE_ENV: "" },
    });
  }
  const { stdout } = await run("du", ["-sm", app]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(170);

  // Only checks that the system packages exist. A container engine installs them.
  const packages = /--no-install-recommends ([\w -]+) &&/.exec(valuesOf(final, "RUN")[0] ?? "");
  expect(packages?.[1]).toBe("ffmpeg bubblewrap tini");

  const { socketDir } = inject("testEngine");
  const data = join(folder, "data");
  await mkdir(data);
  const port = await findFreePort();
  const [userId = "", groupId = ""] = valuesOf(final, "USER")[0]?.split(":") ?? [];
  const surroundings = {
    ...readImageEnv(),
    PATH: "/node:/usr/bin:/bin",
    LOG_LEVEL: "warn",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: toConnectionString(database.target),
  };
  const commandOf = (text: string) =>
    z.array(z.string()).parse(JSON.parse(text.replace(/^.*?(?=\[)/, "")));
  // Separate root in which only /data and /tmp are writable.
  const inside = (command: string[]) => [
    ...["--tmpfs", "/", "--proc", "/proc", "--dev", "/dev"],
    ...["usr", "bin", "lib", "lib64", "sbin", "etc"].flatMap((name) => [
      ...["--ro-bind-try", `/${name}`, `/${name}`],
    ]),
    ...["--ro-bind", nodeFolder, "/node", "--ro-bind", app, "/app", "--bind", data, "/data"],
    ...["--tmpfs", "/tmp", "--bind", socketDir, socketDir, "--remount-ro", "/"],
    ...["--unshare-user", "--uid", userId, "--gid", groupId],
    ...["--unshare-pid", "--die-with-parent", "--chdir", "/app", "--clearenv"],
    ...Object.entries(surroundings).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--", ...command],
  ];
  const start = (command: string[], options: string[] = []) =>
    spawn("bwrap", [...options, ...inside(command)], { stdio: ["ignore", "inherit", "inherit"] });
  const [entrypoint = [], main = []] = ["ENTRYPOINT", "CMD"].map((name) =>
    commandOf(valuesOf(final, name)[0] ?? "[]"),
  );
  // As in a container, the program is process 1.
  const running = start([...entrypoint, ...main], ["--as-pid-1"]);
  server = running;
  const checkHealth = commandOf(valuesOf(final, "HEALTHCHECK")[0] ?? "");
  await vi.waitFor(async () => expect(await once(start(checkHealth), "exit")).toEqual([0, null]), {
    timeout: 600_000,
    // Each check runs in its own process.
    interval: 2000,
  });
  const page = await fetch(`http://127.0.0.1:${port}/home`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("</html>")]);
  // Each sandbox of ffmpeg leaves a process to process 1. A dead one has no command line.
  const listDead = async () =>
    (await listDescendants(running.pid ?? 0)).filter(({ command }) => command === "");
  await expect.poll(listDead, { timeout: 10_000 }).toEqual([]);
  const stopped = once(running, "exit");
  const [first] = await listDescendants(running.pid ?? 0);
  process.kill(first?.pid ?? 0, "SIGTERM");
  expect(await stopped).toEqual([0, null]);
  expect(await once(start(checkHealth), "exit")).toEqual([1, null]);
}, 1_800_000);
