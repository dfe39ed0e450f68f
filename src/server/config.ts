import { availableParallelism, totalmem } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { limits } from "#contract/limits.ts";
import { mediaBudgetBytes } from "#contract/site/media-budget.ts";
import { ConfigError, createEnvReader, readPair, type ReadVariable } from "./lib/env/env-reader.ts";
import {
  email,
  httpOrigin,
  httpUrl,
  integer,
  matching,
  networks,
  nonEmpty,
  oneOf,
  onOrOff,
  plainHttpUrl,
  proxies,
  secretHttpUrl,
  share,
} from "./lib/env/env-rules.ts";
import { logLevels, type LogLevel } from "./lib/logger.ts";
import { samplers, type TracingConfig } from "./lib/tracing/tracing.ts";

export interface S3Config {
  endpoint: string;
  /** Address of the storage as browsers reach it. Used in signed addresses. */
  publicEndpoint: string;
  bucket: string;
  /** Prefix of all keys: empty, or a folder with a trailing slash. */
  prefix: string;
  region: string;
  /** True if the bucket is part of an address's path instead of its host name. */
  isPathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Configuration from the environment. docs/operating/configuring.md describes each variable. */
export interface Config {
  mode: "production" | "development";
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** Address for notifications if `databaseUrl` is a pooler, or null. */
  databaseListenUrl: string | null;
  /** Replica for lists, search and pages, or null. */
  databaseReadUrl: string | null;
  /** Maximum lag of the replica in seconds. */
  databaseReadMaxLagS: number;
  /** True if `databaseUrl` points to a pooler in transaction mode. */
  hasPooler: boolean;
  /** True if hot statements are prepared. If null, they are prepared unless there is a pooler. */
  preparedStatements: boolean | null;
  s3: S3Config | null;
  /** Whether browsers fetch files from this site or from the bucket by signed addresses. */
  mediaDelivery: "site" | "redirect";
  /** Public address of the bucket's published files, without a trailing slash, or null. */
  mediaBaseUrl: string | null;
  admin: { email: string; password: string } | null;
  /** Canonical origin without a trailing slash, if it isn't in the settings. */
  siteUrl: string;
  /** True if the origin comes from `SITE_URL`, false if it is derived from the port. */
  hasSiteUrl: boolean;
  trustProxy: string[];
  /** Header in which a proxy sends the visitor's country, in lower case, or null. */
  geoHeader: string | null;
  /** Private networks that webhooks may reach. */
  webhookNetworks: string[];
  /** Command for captions from audio, see `transcribe`; null for none. */
  captionCommand: string | null;
  captionLanguage: string;
  ffmpegPath: string | null;
  ffprobePath: string | null;
  role: "all" | "web" | "worker";
  /** Number of processes that serve requests. 1 means only this one. */
  webProcesses: number;
  /** Number of concurrent encodes of each kind per process. */
  mediaConcurrency: number;
  maxUploadBytes: number;
  /** Folder for media imports, or null. */
  importDir: string | null;
  /** Internal location that a reverse proxy maps to the media folder, or null. */
  accelRedirect: string | null;
  logLevel: LogLevel;
  /** Port for metrics and this process's health, or null. */
  metricsPort: number | null;
  metricsHost: string;
  /** Off only to measure the work behind the response cache. */
  responseCache: boolean;
  /** Time for which a CDN may cache pages and lists, in seconds; 0 without a CDN. */
  cdnMaxAgeS: number;
  /** Address for reporting changes to a CDN, or null. */
  cdnPurgeUrl: string | null;
  /** Media bytes that an address group may receive in an hour, unless Settings has a limit; or null. */
  mediaBytesPerHour: number | null;
  /** Number of months to retain single plays and daily views. */
  historyMonths: number;
  /** Mail server and sender address; null disables e-mail. */
  smtp: { url: string; from: string } | null;
  /**
   * Key that encrypts secrets in the database, in addition to the database's own secret; or null.
   */
  secretsKey: string | null;
  /** Former key. It can still decrypt what it encrypted. */
  formerSecretsKey: string | null;
  /** Null disables tracing. */
  tracing: TracingConfig | null;
  /** Time for running requests after a stop signal, in seconds; 0 stops within five. */
  drainS: number;
  /** Off only to measure the writes of one client. */
  writeLimits: boolean;
}

const needsS3 = (name: string, why = "") =>
  new ConfigError(
    `${name}: ${why}Object storage needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together.`,
  );

const maxWebProcesses = 8;

/** Returns one process per core on more than two cores, limited by a gigabyte of memory each. */
export function defaultWebProcesses(cores: number, memoryBytes: number): number {
  if (cores <= 2) return 1;
  return Math.max(1, Math.min(cores, maxWebProcesses, Math.round(memoryBytes / 1024 ** 3)));
}

/** True if Node lets several processes share a port on this system. */
const sharesPorts = !["darwin", "win32"].includes(process.platform);

/**
 * Returns whether processes may share the port. With port 0, each process would get a different
 * port. The development server replaces modules in place and needs a single process.
 */
const canSharePort = ({ role, mode, port }: Pick<Config, "role" | "mode" | "port">): boolean =>
  sharesPorts && role !== "worker" && mode !== "development" && port !== 0;

/** Returns one encode per four cores, because an encode uses about four cores well. */
export const defaultMediaConcurrency = (cores: number): number =>
  Math.max(1, Math.min(4, Math.floor(cores / 4)));

/** Returns the memory of this machine, or of its container if smaller. */
const findMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

function readAdmin(get: ReadVariable): Config["admin"] {
  const longEnough = (text: string) => text.length >= 8 && text.length <= 1000;
  const pair = readPair(
    get,
    ["ADMIN_EMAIL", email],
    ["ADMIN_PASSWORD", matching("a password of at least 8 characters", longEnough, true)],
  );
  return pair === null ? null : { email: pair[0], password: pair[1] };
}

function readSmtp(get: ReadVariable): Config["smtp"] {
  const isSmtpUrl = (text: string) =>
    /^smtps?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.hostname !== "";
  const server = "an address such as smtp://user:password@mail.example.com:587";
  const pair = readPair(get, ["SMTP_URL", matching(server, isSmtpUrl, true)], ["MAIL_FROM", email]);
  return pair === null ? null : { url: pair[0], from: pair[1] };
}

function readDatabase(get: ReadVariable) {
  const isAddress = (text: string) => /^postgres(ql)?:\/\/\S+$/.test(text);
  const address = matching("a postgres:// or postgresql:// address", isAddress, true);
  const databaseUrl = get("DATABASE_URL", address);
  const databaseListenUrl = get("DATABASE_LISTEN_URL", address);
  const databaseReadUrl = get("DATABASE_READ_URL", address);
  if (databaseUrl === null && (databaseListenUrl !== null || databaseReadUrl !== null)) {
    const companion = databaseListenUrl === null ? "DATABASE_READ_URL" : "DATABASE_LISTEN_URL";
    throw new ConfigError(
      `DATABASE_URL: not set. ${companion} is another address of the same database. Set both or neither.`,
    );
  }
  return {
    databaseUrl,
    databaseListenUrl,
    databaseReadUrl,
    databaseReadMaxLagS: get("DATABASE_READ_MAX_LAG", integer(1, 300)) ?? 5,
    hasPooler: get("DATABASE_POOLER", onOrOff) ?? databaseListenUrl !== null,
    preparedStatements: get("DATABASE_PREPARED", onOrOff),
  };
}

/** Some services accept capitals and underscores, and so did Amazon until 2018. */
const bucketName = matching("a bucket name", (text) =>
  /^[A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9]$/.test(text),
);
const bucketHostName = matching(
  "a bucket name of lower-case letters, digits, hyphens and dots if S3_PATH_STYLE is 0",
  (text) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text),
);

function readS3(get: ReadVariable): S3Config | null {
  const isPathStyle = get("S3_PATH_STYLE", onOrOff);
  const isRegion = (text: string) => /^[\w-]+$/.test(text);
  const isFolder = (text: string) => /^[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(text);
  const endpoint = get("S3_ENDPOINT", httpUrl);
  const bucket = get("S3_BUCKET", isPathStyle === false ? bucketHostName : bucketName);
  const accessKeyId = get("S3_ACCESS_KEY_ID", nonEmpty("an access key id"));
  const secretAccessKey = get("S3_SECRET_ACCESS_KEY", nonEmpty("a secret access key", true));
  const region = get("S3_REGION", matching("a region name", isRegion));
  const publicEndpoint = get("S3_PUBLIC_ENDPOINT", httpUrl);
  const prefix = get("S3_PREFIX", matching("a folder such as kinora/media", isFolder));
  if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null) {
    const needed = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    const given = [...Object.values(needed), region, publicEndpoint, prefix, isPathStyle];
    if (given.every((value) => value === null)) return null;
    const missing = Object.entries(needed).find(([, value]) => value === null)?.[0] ?? "";
    throw needsS3(missing, "not set. ");
  }
  return {
    endpoint,
    bucket,
    accessKeyId,
    secretAccessKey,
    publicEndpoint: publicEndpoint ?? endpoint,
    region: region ?? "us-east-1",
    prefix: prefix === null ? "" : `${prefix.replace(/\/$/, "")}/`,
    isPathStyle: isPathStyle ?? true,
  };
}

function readMedia(get: ReadVariable) {
  const s3 = readS3(get);
  const mediaDelivery = get("MEDIA_DELIVERY", oneOf(["site", "redirect"])) ?? "site";
  const mediaBaseUrl = get("MEDIA_BASE_URL", plainHttpUrl)?.replace(/\/+$/, "") ?? null;
  if (s3 === null && mediaBaseUrl !== null) throw needsS3("MEDIA_BASE_URL");
  if (s3 === null && mediaDelivery === "redirect") throw needsS3("MEDIA_DELIVERY");
  return { s3, mediaDelivery, mediaBaseUrl };
}

function readTracing(get: ReadVariable): TracingConfig | null {
  const endpoints = [
    get("OTEL_EXPORTER_OTLP_ENDPOINT", secretHttpUrl),
    get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", secretHttpUrl),
  ];
  const isDisabled = get("OTEL_SDK_DISABLED", oneOf(["true", "false"])) === "true";
  const hasNoExporter = get("OTEL_TRACES_EXPORTER", oneOf(["otlp", "none"])) === "none";
  const tracing: TracingConfig = {
    sampler: get("OTEL_TRACES_SAMPLER", oneOf(samplers)) ?? "parentbased_always_on",
    ratio: get("OTEL_TRACES_SAMPLER_ARG", share) ?? 1,
  };
  const isOff = isDisabled || hasNoExporter || endpoints.every((endpoint) => endpoint === null);
  return isOff ? null : tracing;
}

/** Returns whether two addresses to listen on share an address. */
function overlaps(one: string, other: string): boolean {
  const [first, second] = [one, other].map((host) => (host === "localhost" ? "127.0.0.1" : host));
  return first === second || [one, other].some((host) => host === "0.0.0.0" || host === "::");
}

/**
 * Reads and checks the environment. An empty value counts as unset.
 * @param get reads one variable. The page of variables in docs lists the calls.
 * @throws ConfigError with one line for the operator.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  get: ReadVariable = createEnvReader(env),
): Config {
  const mode = env["NODE_ENV"] === "development" ? "development" : "production";
  const port = get("PORT", integer(0, 65535)) ?? 3000;
  const role = get("ROLE", oneOf(["all", "web", "worker"])) ?? "all";
  const webProcesses =
    get("WEB_PROCESSES", integer(1, maxWebProcesses)) ??
    defaultWebProcesses(availableParallelism(), findMemoryBytes());
  const siteUrl = get("SITE_URL", httpOrigin);
  const importDir = get("IMPORT_DIR", matching("an absolute path", isAbsolute));

  const address = matching("an IP address or a host name", (text) => /^[\w.:-]+$/.test(text));
  const secretsKey = matching("at least 32 characters", (text) => text.length >= 32, true);
  const headerName = matching("the name of a header such as CF-IPCountry", (text) =>
    /^[a-z0-9-]{1,64}$/i.test(text),
  );
  const captionCommand = matching("a command line that contains {audio}", (text) =>
    text.includes("{audio}"),
  );
  const captionLanguage = matching("auto, or a code such as en", (text) =>
    /^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/.test(text),
  );
  const internalPath = matching("an internal path such as /_media", (text) =>
    /^\/[\w/-]*[\w-]$/.test(text),
  );

  const host = get("HOST", address) ?? (mode === "development" ? "127.0.0.1" : "0.0.0.0");
  const metricsPort = get("METRICS_PORT", integer(0, 65535));
  const metricsHost = get("METRICS_HOST", address) ?? "127.0.0.1";
  const isSamePort = role !== "worker" && port !== 0 && metricsPort === port;
  if (isSamePort && overlaps(host, metricsHost)) {
    throw new ConfigError(
      `METRICS_PORT: ${port} is the port of the site, PORT. Use another port for metrics.`,
    );
  }

  return {
    mode,
    port,
    host,
    dataDir: resolve(get("DATA_DIR", nonEmpty("a path")) ?? "./data"),
    ...readDatabase(get),
    ...readMedia(get),
    admin: readAdmin(get),
    hasSiteUrl: siteUrl !== null,
    siteUrl: siteUrl === null ? `http://localhost:${port}` : new URL(siteUrl).origin,
    trustProxy: get("TRUST_PROXY", proxies) ?? [],
    webhookNetworks: get("WEBHOOK_NETWORKS", networks) ?? [],
    geoHeader: get("GEO_HEADER", headerName)?.toLowerCase() ?? null,
    captionCommand: get("CAPTION_COMMAND", captionCommand),
    captionLanguage: get("CAPTION_LANGUAGE", captionLanguage) ?? "auto",
    ffmpegPath: get("FFMPEG_PATH", nonEmpty("a path")),
    ffprobePath: get("FFPROBE_PATH", nonEmpty("a path")),
    role,
    webProcesses: canSharePort({ role, mode, port }) ? webProcesses : 1,
    mediaConcurrency:
      get("MEDIA_CONCURRENCY", integer(1, 16)) ?? defaultMediaConcurrency(availableParallelism()),
    maxUploadBytes: get("MAX_UPLOAD_BYTES", integer(1, 1_000_000_000_000)) ?? limits.maxUploadBytes,
    importDir: importDir === null ? null : resolve(importDir),
    accelRedirect: get("ACCEL_REDIRECT", internalPath),
    logLevel: get("LOG_LEVEL", oneOf(logLevels)) ?? "info",
    metricsPort,
    metricsHost,
    responseCache: get("RESPONSE_CACHE", onOrOff) ?? true,
    cdnMaxAgeS: get("CDN_MAX_AGE", integer(0, 3600)) ?? 0,
    cdnPurgeUrl: get("CDN_PURGE_URL", secretHttpUrl),
    mediaBytesPerHour: get(
      "MEDIA_BYTES_PER_HOUR",
      integer(mediaBudgetBytes.min, mediaBudgetBytes.max),
    ),
    historyMonths: get("HISTORY_MONTHS", integer(4, 1200)) ?? 12,
    smtp: readSmtp(get),
    secretsKey: get("SECRETS_KEY", secretsKey),
    formerSecretsKey: get("SECRETS_KEY_OLD", secretsKey),
    tracing: readTracing(get),
    drainS: get("DRAIN_SECONDS", integer(0, 3600)) ?? 0,
    writeLimits: get("WRITE_LIMITS", onOrOff) ?? true,
  };
}
