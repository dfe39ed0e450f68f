import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "#test/database.ts";
import { root } from "#test/harness/server-process.ts";
import { readConfig } from "./config.ts";
import { OperatorError } from "./lib/app-error.ts";
import { checkServer } from "./db/check-server.ts";
import { migrateToLatest } from "./db/migrate.ts";
import { readServerState } from "./doctor/server-state.repository.ts";
import { toConnectionString, type SocketTarget } from "./db/connection.ts";

type Environment = Record<string, string>;

const base = () => ({ HOST: "127.0.0.1", PORT: "0", DATA_DIR: inject("testFolder") });

/** Runs the real program until it exits. */
async function start(env: Environment) {
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...base(), ...env },
  });
  // A hanging start fails the test instead of blocking it.
  const timer = setTimeout(() => child.kill("SIGKILL"), 100_000);
  const closed = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  clearTimeout(timer);
  return { code: child.exitCode, stdout, stderr };
}

async function listen(onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** Builds one message of PostgreSQL's protocol. */
function message(type: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Responds like a web server without that page. */
function speakAsWebsite(socket: Socket): void {
  socket.on("data", () => socket.write("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
}

/** Speaks enough of the protocol to pretend to be PostgreSQL 14. */
function speakAsVersion14(socket: Socket): void {
  const ready = message("Z", "I");
  socket.once("data", () => {
    socket.write(Buffer.concat([message("R", [0, 0, 0, 0]), ready]));
    socket.once("data", () => {
      const int4 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0];
      socket.write(
        Buffer.concat([
          message("1"),
          message("2"),
          message("T", [0, 1], "version\0", int4),
          message("D", [0, 1, 0, 0, 0, 6], "140012"),
          message("C", "SELECT 1\0"),
          ready,
        ]),
      );
    });
  });
}

let current: TestDatabase;
let newer: TestDatabase;
/** Database whose lower() only changes ASCII letters, and one with an old encoding. */
let ascii: TestDatabase;
let latin1: TestDatabase;
const servers: Server[] = [];
const ports = { busy: 0, version14: 0, website: 0, free: 0 };
beforeAll(async () => {
  const [busy, version14, website, free] = await Promise.all([
    listen(() => undefined),
    listen(speakAsVersion14),
    listen(speakAsWebsite),
    listen(() => undefined),
  ]);
  [current, newer, ascii, latin1] = await Promise.all([
    createTestDatabase(),
    createTestDatabase(),
    createEmptyDatabase("template0 locale_provider libc locale 'C'"),
    createEmptyDatabase("template0 encoding LATIN1 locale_provider libc locale 'C'"),
  ]);
  servers.push(busy, version14, website);
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  Object.assign(ports, {
    busy: portOf(busy),
    version14: portOf(version14),
    website: portOf(website),
    free: portOf(free),
  });
  free.close();
  await sql`insert into kysely_migration (name, timestamp) values ('29991231T2359_newer', 'now')`.execute(
    newer.db,
  );
});
afterAll(async () => {
  for (const server of servers) server.close();
  await Promise.all([current, newer, ascii, latin1].map((database) => database.drop()));
});

/** Long timeouts, since the machine may be busy. */
const patient = (target: SocketTarget) => `${toConnectionString(target)}&connect_timeout=60`;
const ofEngine = (change: Partial<SocketTarget>) => patient({ ...inject("testEngine"), ...change });
const onPort = (port: number) => `postgres://kinora:secret@127.0.0.1:${port}/kinora`;
/** Returns an environment with a media tool and a usable database. */
const withTool = (variable: string, path: string): Environment => ({
  DATABASE_URL: patient(current.target),
  [variable]: path,
});
/** A program that runs, but isn't ffprobe. */
const ffmpeg = () => inject("toolReport")?.paths.ffmpeg ?? process.execPath;

/** Faulty environments, and the expected line about each. */
const wrong: [name: string, env: () => Environment, line: RegExp][] = [
  ["a number", () => ({ PORT: "http" }), /^PORT: "http" isn't valid. Use a whole number/],
  ["a busy port", () => ({ PORT: `${ports.busy}` }), /^PORT: \d+ is in use by another program/],
  [
    "a foreign address",
    () => ({ HOST: "203.0.113.7" }),
    /^HOST: "203.0.113.7" isn't an address of/,
  ],
  [
    "a folder of the system",
    () => ({ DATA_DIR: "/proc/kinora" }),
    /^DATA_DIR: "\/proc\/kinora" can't be/,
  ],
  ["a folder", () => ({ DATA_DIR: "/dev/null/data" }), /^DATA_DIR: "\/dev\/null\/data" can't be/],
  ["a scheme", () => ({ DATABASE_URL: "mysql://x" }), /^DATABASE_URL: the value isn't/],
  [
    "an address that cannot be read",
    () => ({ DATABASE_URL: "postgres://kinora:secret@[::1/kinora" }),
    /^DATABASE_URL: the value can't be read/,
  ],
  [
    "a database host where nothing listens",
    () => ({ DATABASE_URL: onPort(ports.free) }),
    /^DATABASE_URL: no PostgreSQL responds at 127\.0\.0\.1:\d+ \(.*ECONNREFUSED/,
  ],
  [
    "a database host that is silent",
    () => ({ DATABASE_URL: onPort(ports.busy) }),
    /^DATABASE_URL: no PostgreSQL responds at 127\.0\.0\.1:\d+ \(/,
  ],
  [
    "an old version of PostgreSQL",
    () => ({ DATABASE_URL: `${onPort(ports.version14)}?connect_timeout=60` }),
    /^DATABASE_URL: the server is PostgreSQL 14\. Use version 15 to 18\.$/,
  ],
  [
    "a wrong database password",
    () => ({ DATABASE_URL: ofEngine({ password: "secret" }) }),
    /^DATABASE_URL: the server at .* refuses the user "kinora" \(/,
  ],
  [
    "a missing database password",
    () => ({ DATABASE_URL: ofEngine({ password: "" }).replace(":@", "@") }),
    /^DATABASE_URL: the server at \S+ requires a password for the user "kinora", and the address has none\. Add one, or set PGPASSWORD\.$/,
  ],
  [
    "a database that does not exist",
    () => ({ DATABASE_URL: ofEngine({ database: "absent" }) }),
    /^DATABASE_URL: the server at .* has no database "absent"\. Create it/,
  ],
  [
    "a database that only knows ASCII letters",
    () => ({ DATABASE_URL: patient(ascii.target) }),
    /^DATABASE_URL: the database's locale doesn't .*: createdb --template=template0 --encoding=UTF8 --locale=C\.UTF-8 NAME$/,
  ],
  [
    "a database with an old encoding",
    () => ({ DATABASE_URL: patient(latin1.target) }),
    /^DATABASE_URL: the database uses the encoding LATIN1\. Create one with: createdb /,
  ],
  [
    "the database of a newer version",
    () => ({ DATABASE_URL: patient(newer.target) }),
    /^The database was created by a newer version of Kinora \(migration 29991231T2359_newer\)\./,
  ],
  [
    "a scheme of notifications",
    () => ({ DATABASE_URL: patient(current.target), DATABASE_LISTEN_URL: "http://x" }),
    /^DATABASE_LISTEN_URL: the value isn't valid/,
  ],
  ["notifications alone", () => ({ DATABASE_LISTEN_URL: onPort(1) }), /^DATABASE_URL: not set/],
  [
    "another database for notifications",
    () => ({
      DATABASE_URL: patient(current.target),
      DATABASE_LISTEN_URL: ofEngine({ database: "postgres" }),
    }),
    /^DATABASE_LISTEN_URL: points to a different database than DATABASE_URL/,
  ],
  [
    "another database as a replica",
    () => ({
      DATABASE_URL: patient(current.target),
      DATABASE_READ_URL: ofEngine({ database: "postgres" }),
    }),
    /^DATABASE_READ_URL: points to a different database than DATABASE_URL/,
  ],
  [
    "a wrong password of a replica",
    () => ({
      DATABASE_URL: patient(current.target),
      DATABASE_READ_URL: ofEngine({ password: "secret" }),
    }),
    /^DATABASE_READ_URL: the server at .* refuses the user "kinora" \(/,
  ],
  ["a lag with a unit", () => ({ DATABASE_READ_MAX_LAG: "5s" }), /^DATABASE_READ_MAX_LAG: "5s"/],
  ["a switch", () => ({ DATABASE_PREPARED: "maybe" }), /^DATABASE_PREPARED: "maybe"/],
  ["a pooler", () => ({ DATABASE_POOLER: "maybe" }), /^DATABASE_POOLER: "maybe"/],
  ["an address", () => ({ S3_ENDPOINT: "s3.example" }), /^S3_ENDPOINT: "s3.example"/],
  ["a bucket", () => ({ S3_BUCKET: "a/b" }), /^S3_BUCKET: "a\/b"/],
  ["a region alone", () => ({ S3_REGION: "eu-1" }), /^S3_ENDPOINT: not set/],
  ["a key alone", () => ({ S3_ACCESS_KEY_ID: "id" }), /^S3_ENDPOINT: not set/],
  ["a secret alone", () => ({ S3_SECRET_ACCESS_KEY: "secret" }), /^S3_ENDPOINT: not set/],
  [
    "a public endpoint",
    () => ({ S3_PUBLIC_ENDPOINT: "s3" }),
    /^S3_PUBLIC_ENDPOINT: "s3" isn't valid/,
  ],
  ["a prefix", () => ({ S3_PREFIX: "/media" }), /^S3_PREFIX: "\/media" isn't valid/],
  ["a style of paths", () => ({ S3_PATH_STYLE: "yes" }), /^S3_PATH_STYLE: "yes" isn't valid/],
  ["a way of delivery", () => ({ MEDIA_DELIVERY: "cdn" }), /^MEDIA_DELIVERY: "cdn" isn't valid/],
  [
    "redirects without S3",
    () => ({ MEDIA_DELIVERY: "redirect" }),
    /^MEDIA_DELIVERY: Object storage/,
  ],
  ["a CDN without S3", () => ({ MEDIA_BASE_URL: "https://a.example" }), /^MEDIA_BASE_URL: Object/],
  [
    "object storage where nothing listens",
    () => ({
      DATABASE_URL: patient(current.target),
      S3_ENDPOINT: onPort(ports.free).replace(/^.*@(.*)\/.*$/, "http://$1"),
      S3_BUCKET: "kinora",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "hidden",
    }),
    /^S3_ENDPOINT: no object storage responds at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.$/,
  ],
  [
    "object storage that accepts connections but never responds",
    () => ({
      S3_ENDPOINT: `http://127.0.0.1:${ports.busy}`,
      S3_BUCKET: "kinora",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "hidden",
    }),
    /^S3_ENDPOINT: no object storage responds at http:\S+ \(no response within 4 s\)\.$/,
  ],
  [
    "a web server that isn't object storage",
    () => ({
      DATABASE_URL: patient(current.target),
      S3_ENDPOINT: `http://127.0.0.1:${ports.website}`,
      S3_BUCKET: "kinora",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "hidden",
    }),
    /^S3_ENDPOINT: http:\S+ responds with an error \(404 NotFound\)\.$/,
  ],
  ["an email", () => ({ ADMIN_EMAIL: "admin" }), /^ADMIN_EMAIL: "admin" isn't valid/],
  ["a short password", () => ({ ADMIN_PASSWORD: "secret" }), /^ADMIN_PASSWORD: the value/],
  ["a site's path", () => ({ SITE_URL: "https://a.example/b" }), /^SITE_URL: "https:.*a path\.$/],
  ["a network", () => ({ TRUST_PROXY: "10.0.0.0/64" }), /^TRUST_PROXY: "10\.0\.0\.0\/64"/],
  [
    "no sound",
    () => ({ CAPTION_COMMAND: "whisper-cli" }),
    /^CAPTION_COMMAND: "whisper-cli" isn't valid/,
  ],
  [
    "captions by a program that is missing",
    () => ({ CAPTION_COMMAND: "/opt/missing/whisper-cli {audio}" }),
    /^CAPTION_COMMAND: couldn't find "\/opt\/missing\/whisper-cli", or this user may not run it/,
  ],
  [
    "captions by a program that is not on the path",
    () => ({ CAPTION_COMMAND: "missing-whisper {audio}" }),
    /^CAPTION_COMMAND: couldn't find "missing-whisper" in the folders of PATH/,
  ],
  [
    "no language",
    () => ({ CAPTION_LANGUAGE: "Klingon!" }),
    /^CAPTION_LANGUAGE: "Klingon!" isn't valid/,
  ],
  ["no header", () => ({ GEO_HEADER: "CF IPCountry" }), /^GEO_HEADER: "CF IPCountry"/],
  ["a network of webhooks", () => ({ WEBHOOK_NETWORKS: "lan" }), /^WEBHOOK_NETWORKS: "lan"/],
  ["no ffmpeg", () => withTool("FFMPEG_PATH", "/bin/true"), /^FFMPEG_PATH: "\/bin\/true" isn't a/],
  ["no ffprobe", () => withTool("FFPROBE_PATH", ffmpeg()), /^FFPROBE_PATH: ".*" isn't a working/],
  ["a role", () => ({ ROLE: "boss" }), /^ROLE: "boss" isn't valid/],
  ["too many processes", () => ({ WEB_PROCESSES: "9" }), /^WEB_PROCESSES: "9"/],
  ["no encodes", () => ({ MEDIA_CONCURRENCY: "0" }), /^MEDIA_CONCURRENCY: "0" .* from 1 to 16/],
  ["a size with a unit", () => ({ MAX_UPLOAD_BYTES: "500MB" }), /^MAX_UPLOAD_BYTES: "500MB"/],
  ["a folder without its path", () => ({ IMPORT_DIR: "in" }), /^IMPORT_DIR: "in" isn't valid/],
  ["a location", () => ({ ACCEL_REDIRECT: "media" }), /^ACCEL_REDIRECT: "media"/],
  ["a level", () => ({ LOG_LEVEL: "loud" }), /^LOG_LEVEL: "loud"/],
  ["a switch of the cache", () => ({ RESPONSE_CACHE: "on" }), /^RESPONSE_CACHE: "on"/],
  ["a long time", () => ({ CDN_MAX_AGE: "1h" }), /^CDN_MAX_AGE: "1h"/],
  ["a file address", () => ({ CDN_PURGE_URL: "file:///x" }), /^CDN_PURGE_URL: the value/],
  ["a short key", () => ({ SECRETS_KEY: "short" }), /^SECRETS_KEY: the value isn't valid/],
  ["a short old key", () => ({ SECRETS_KEY_OLD: "short" }), /^SECRETS_KEY_OLD: the value/],
  ["a mail server that isn't an address", () => ({ SMTP_URL: "mail" }), /^SMTP_URL: the value/],
  ["a mail server alone", () => ({ SMTP_URL: "smtp://mail" }), /^MAIL_FROM: not set/],
  ["a sender that isn't an address", () => ({ MAIL_FROM: "me" }), /^MAIL_FROM: "me" isn't valid/],
  ["too few months", () => ({ HISTORY_MONTHS: "3" }), /^HISTORY_MONTHS: "3" isn't valid/],
  [
    "a small budget",
    () => ({ MEDIA_BYTES_PER_HOUR: "5" }),
    /^MEDIA_BYTES_PER_HOUR: "5" isn't valid/,
  ],
  ["a drain with a unit", () => ({ DRAIN_SECONDS: "1m" }), /^DRAIN_SECONDS: "1m" .* 0 to 3600/],
  [
    "a collector without a scheme",
    () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }),
    /^OTEL_EXPORTER_OTLP_ENDPOINT: the value isn't valid/,
  ],
  [
    "a collector of traces without a scheme",
    () => ({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "collector:4318" }),
    /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: the value isn't valid/,
  ],
  [
    "an exporter that is not there",
    () => ({ OTEL_TRACES_EXPORTER: "zipkin" }),
    /^OTEL_TRACES_EXPORTER: "zipkin" isn't valid. Use one of otlp, none/,
  ],
  [
    "an unclear switch of the traces",
    () => ({ OTEL_SDK_DISABLED: "maybe" }),
    /^OTEL_SDK_DISABLED: "maybe" isn't valid. Use one of true, false/,
  ],
  [
    "a sampler that is not known",
    () => ({ OTEL_TRACES_SAMPLER: "some" }),
    /^OTEL_TRACES_SAMPLER: "some" isn't valid. Use one of parentbased_always_on/,
  ],
  [
    "a share of two",
    () => ({ OTEL_TRACES_SAMPLER_ARG: "2" }),
    /^OTEL_TRACES_SAMPLER_ARG: "2" isn't valid. Use a number from 0 to 1/,
  ],
  ["a name as a port", () => ({ METRICS_PORT: "metrics" }), /^METRICS_PORT: "metrics" isn't valid/],
  [
    "the port of the site for metrics",
    () => ({ PORT: "4000", METRICS_PORT: "4000" }),
    /^METRICS_PORT: 4000 is the port of the site, PORT\. Use another port for metrics\.$/,
  ],
  [
    "a busy port of metrics",
    () => ({ METRICS_PORT: `${ports.busy}` }),
    /^METRICS_PORT: \d+ is in use by another program/,
  ],
  [
    "a foreign address of metrics",
    () => ({ METRICS_PORT: "0", METRICS_HOST: "203.0.113.7" }),
    /^METRICS_HOST: "203.0.113.7" isn't an address of/,
  ],
  ["a switch of limits", () => ({ WRITE_LIMITS: "no" }), /^WRITE_LIMITS: "no"/],
];

/** Returns the message about a value that is refused by itself, before anything starts. */
function findRefusal(env: Environment): string | null {
  try {
    readConfig({ ...base(), ...env });
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

test.concurrent.each(wrong)(
  "ends the start with one line for an invalid value: %s",
  async (name, env, line) => {
    const refusal = findRefusal(env());
    // One value shows how the program ends because of them.
    if (refusal !== null && name !== "a number") {
      expect(refusal).toMatch(/^.+$/);
      expect(refusal).toMatch(line);
      expect(refusal).not.toContain("secret");
      return;
    }
    const { code, stdout, stderr } = await start(env());
    expect(stderr).toMatch(/^.+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
    expect(`${stdout}${stderr}`).not.toContain("secret");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  },
);

test("starts an existing site whose database only knows ASCII letters, and the doctor warns", async () => {
  await migrateToLatest(ascii.db);
  expect((await readServerState(ascii.db)).collation.lowersLetters).toBe(false);
  expect((await readServerState(current.db)).collation.lowersLetters).toBe(true);
  await checkServer(patient(ascii.target));
});

test("covers every variable with an invalid value", () => {
  const read = new Set<string>();
  readConfig(new Proxy<Environment>({}, { get: (_, name) => void read.add(String(name)) }));
  read.delete("NODE_ENV");
  expect(new Set(wrong.flatMap(([, env]) => Object.keys(env())))).toEqual(read);
});
