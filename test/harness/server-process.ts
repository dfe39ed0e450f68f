import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuild } from "../../setup/web-build.mjs";
import serverEnv from "../../setup/process/server-env.json" with { type: "json" };

export const root = fileURLToPath(new URL("../..", import.meta.url));
const benchAdmin = { email: "bench@example.com", password: "bench password" };

/**
 * Removes the data of a site. A database whose site was killed may still be writing its last files.
 */
export const removeData = (dataDir: string): Promise<void> =>
  rm(dataDir, { recursive: true, force: true, maxRetries: 40, retryDelay: 25 });

export interface Site {
  url: string;
  pid: number;
  dataDir: string;
  /** Returns the `cookie` header of the admin. */
  signIn(): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Returns a port that nothing listens on. It is below the ranges from which Linux and macOS choose
 * ports of outgoing connections and of servers on port 0, so that none of these takes it first.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(12_000, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error("no free port");
}

/** Starts the real server in a separate process, like an operator. Used by tests and benches. */
export async function startSite(
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    entry?: string;
    /** Port. A free one by default. */
    port?: number;
    /** Receives the server's output. */
    onOutput?: (text: string) => void;
  } = {},
): Promise<Site> {
  await ensureBuild();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "kinora-bench-")));
  const port = options.port ?? (await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const entry = options.entry ?? "src/server/main.ts";
  const child: ChildProcess = spawn(process.execPath, [entry], {
    cwd: root,
    // The closed channel ends the server when this process dies.
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: {
      ...serverEnv,
      ...process.env,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: benchAdmin.email,
      ADMIN_PASSWORD: benchAdmin.password,
      LOG_LEVEL: "warn",
      // Always a single process, because benches measure it and tests find it by its id.
      WEB_PROCESSES: "1",
      ...options.env,
    },
  });
  child.stdout?.setEncoding("utf8").on("data", options.onOutput ?? (() => undefined));
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (
      await fetch(`${url}/healthz`).then(
        (a) => a.ok,
        () => false,
      )
    )
      break;
    if (tries > 3000) {
      child.kill("SIGKILL");
      throw new Error("the server did not start in 5 minutes");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    async signIn() {
      const response = await fetch(`${url}/api/auth/signin`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(benchAdmin),
      });
      return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    },
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      if (options.dataDir === undefined) await removeData(dataDir);
    },
  };
}
