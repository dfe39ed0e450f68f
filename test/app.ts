import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { AccountRole } from "#contract/accounts/policy.ts";
import { readConfig } from "#server/config.ts";
import { createContext, type Context } from "#server/context.ts";
import { ensureBuild } from "../setup/web-build.mjs";
import { createBuiltPages } from "#server/site/pages/create-page-renderer.ts";
import type { PageRenderer } from "#server/site/pages/page-renderer.ts";
import type { JobName } from "#server/jobs/queue.ts";
import type { RegisteredRoute } from "#server/http/access/policy.ts";
import { registerEverything } from "#server/serve.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Db, SocketTarget } from "#server/db/connection.ts";
import type { ToolReport } from "#server/media/find-tools.ts";
import { createLogger, type Logger, type LogLevel } from "#server/lib/logger.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { makeFolder, shared } from "./shared.ts";
import { makeUser, testOrigin, testPassword } from "./factories/make-user.ts";

export interface TestAppOptions {
  /** True to also serve the built pages. */
  pages?: boolean;
  /** True to run jobs with the real ffmpeg. */
  work?: boolean;
  clock?: Clock;
  env?: Record<string, string>;
  logLevel?: LogLevel;
  /** Replacement for the logger of this level. */
  logger?: Logger;
  /** Replacement for ffmpeg with the same capabilities. */
  ffmpegPath?: string;
  /** Changes the target of the app's database connections, for example to a proxy. */
  targetOf?: (target: SocketTarget) => Promise<SocketTarget>;
  /** Starts another process on the same database and files. The first one removes them. */
  besides?: TestApp;
}

export interface TestApp {
  context: Context;
  database: TestDatabase;
  db: Db;
  routes: RegisteredRoute[];
  /** URL of the server, without a trailing slash. */
  url: string;
  dataDir: string;
  /** Returns the `cookie` header of a new session. */
  signIn(role?: AccountRole): Promise<string>;
  /** Runs a job in this process. */
  runJob(name: JobName, data?: object): Promise<void>;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts the complete application with its own database and folder on a free port. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.besides?.database ?? (await createTestDatabase());
  const dataDir = options.besides?.dataDir ?? makeFolder("app");
  const { FFMPEG_PATH, FFPROBE_PATH } = process.env;
  const config = readConfig({
    FFMPEG_PATH,
    FFPROBE_PATH,
    HOST: "127.0.0.1",
    PORT: "0",
    WEB_PROCESSES: "1",
    DATA_DIR: dataDir,
    ...options.env,
  });
  const context = await createContext({
    config,
    logger: options.logger ?? createLogger(options.logLevel ?? "error"),
    target: (await options.targetOf?.(database.target)) ?? database.target,
    clock: options.clock,
    // Tests with their own tools need them to be detected.
    toolReport:
      options.env?.["FFMPEG_PATH"] === undefined ? reportTools(options.ffmpegPath) : undefined,
  });
  const renderer = options.pages === true ? await builtPages() : null;
  const routes = await registerEverything(
    context,
    renderer === null ? null : { renderer, clientDir: join(root, "dist/client") },
  );
  const url = await context.http.app.listen({ port: 0, host: "127.0.0.1" });
  if (options.work === true) await context.queue.work(context.jobs);

  return {
    context,
    database,
    db: database.db,
    routes,
    url,
    dataDir,
    async signIn(role = "ADMIN") {
      const user = await makeUser(database.db, {
        role: role === "OWNER" ? "ADMIN" : role,
        is_owner: role === "OWNER",
      });
      const { token } = await context.auth.signIn(user.email, testPassword, testOrigin);
      return `session=${token}`;
    },
    async runJob(name, data = {}) {
      const job = context.jobs.find((each) => each.name === name);
      if (job === undefined) throw new Error(`There is no job ${name}`);
      await job.run(data, { signal: new AbortController().signal });
    },
    async stop() {
      await context.stop(2000);
      await renderer?.close();
      if (options.besides !== undefined) return;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts an app for all tests of a file. Options may depend on what earlier hooks created. */
export const useTestApp = (options: TestAppOptions | (() => TestAppOptions) = {}): TestApp =>
  shared(
    () => startTestApp(typeof options === "function" ? options() : options),
    (app) => app.stop(),
  );

function reportTools(ffmpeg: string | undefined): ToolReport | undefined {
  const report = inject("toolReport") ?? undefined;
  if (report === undefined || ffmpeg === undefined) return report;
  return { ...report, paths: { ...report.paths, ffmpeg } };
}

/** Creates a small JSON client with cookies. It never throws because of a status. */
export function createClient(url: string, cookie = "") {
  const jar = new Map<string, string>();
  for (const part of cookie.split("; ")) {
    const [name = "", value = ""] = part.split("=");
    if (name !== "") jar.set(name, value);
  }
  return {
    jar,
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: "manual",
        headers: {
          ...(jar.size > 0
            ? { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") }
            : {}),
          ...(body !== undefined && !(body instanceof FormData)
            ? { "content-type": "application/json" }
            : {}),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
        jar.set(name, value);
      }
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") === true;
      return {
        status: response.status,
        headers: response.headers,
        text,
        // Tests read any field of a response and check its value.
        // oxlint-disable-next-line typescript/no-explicit-any
        json: isJson && text !== "" ? JSON.parse(text) : null,
      };
    },
  };
}

export type TestClient = ReturnType<typeof createClient>;

/** Signs in a client for all tests of a file. */
export const useClient = (app: TestApp, role: AccountRole = "ADMIN"): TestClient =>
  shared(async () => createClient(app.url, await app.signIn(role)));

async function builtPages(): Promise<PageRenderer> {
  await ensureBuild();
  return createBuiltPages(root);
}

/** Confirms the password, so that the session may change who has access. */
export async function confirmSession(client: ReturnType<typeof createClient>): Promise<void> {
  const { status } = await client.call("POST", "/api/account/confirm", { password: testPassword });
  if (status !== 204) throw new Error(`The confirmation failed with ${status}`);
}
