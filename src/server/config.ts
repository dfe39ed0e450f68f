import { isIP } from "node:net";
import { availableParallelism, totalmem } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { limits } from "../contract/limits.ts";
import { hardwareEncoderNames, type HardwareEncoderName } from "./lib/hardware-encoder-names.ts";
import { logLevels, type LogLevel } from "./lib/logger.ts";
import { OperatorError } from "./lib/operator-error.ts";
import { samplers, type TracingConfig } from "./lib/tracing/tracing.ts";

export interface S3Config {
  endpoint: string;
  /** The same storage as browsers reach it, for signed addresses. */
  publicEndpoint: string;
  bucket: string;
  /** In front of all keys: empty, or a folder with a slash at its end. */
  prefix: string;
  region: string;
  /** The bucket stands in the path of an address, not in front of its host name. */
  isPathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Configuration from the environment. docs/operating.md describes each variable. */
export interface Config {
  mode: "production" | "development";
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** Where notifications arrive if `databaseUrl` leads to a pooler, or null. */
  databaseListenUrl: string | null;
  /** A replica for lists, search and pages, or null. */
  databaseReadUrl: string | null;
  /** By how much a replica that is read may be behind. */
  databaseReadMaxLagS: number;
  /** Whether hot statements are prepared; null to find out whether a pooler keeps them. */
  preparedStatements: boolean | null;
  s3: S3Config | null;
  /** Whether browsers fetch files from the bucket by signed addresses, or from this site. */
  mediaDelivery: "site" | "redirect";
  /** Public address of the published files of the bucket, without a slash at its end, or null. */
  mediaBaseUrl: string | null;
  admin: { email: string; password: string } | null;
  /** Canonical origin without a trailing slash, if the settings hold none. */
  siteUrl: string;
  trustProxy: string[];
  /** The header in which a proxy names the country of a visitor, in lower case, or null. */
  geoHeader: string | null;
  /** Private networks that webhooks may reach. */
  webhookNetworks: string[];
  /** Makes captions from sound, as `transcribe` says; null makes none. */
  captionCommand: string | null;
  captionLanguage: string;
  ffmpegPath: string | null;
  ffprobePath: string | null;
  /** Of graphics chips; null lets processors encode. */
  hardwareEncoder: HardwareEncoderName | "auto" | null;
  role: "all" | "web" | "worker";
  /** How many processes respond to requests; 1 is this one alone. */
  webProcesses: number;
  /** How many encodes of each kind one process runs at once. */
  mediaConcurrency: number;
  maxUploadBytes: number;
  /** The folder from which media may be imported, or null. */
  importDir: string | null;
  /** Internal location that a reverse proxy maps to the media folder, or null. */
  accelRedirect: string | null;
  logLevel: LogLevel;
  /** Where metrics and the health of this process are read, or null. */
  metricsPort: number | null;
  metricsHost: string;
  /** Off only to measure the work behind the response cache. */
  responseCache: boolean;
  /** How long a CDN may keep pages and lists, in seconds; 0 without a CDN. */
  cdnMaxAgeS: number;
  /** Where changes are reported to a CDN, or null. */
  cdnPurgeUrl: string | null;
  /** For how many months single plays, and views by the day, are kept. */
  historyMonths: number;
  /** Where e-mail is handed in, and its sender; null sends none. */
  smtp: { url: string; from: string } | null;
  /** Seals what is secret in the database, beside the secret that the database holds; or null. */
  secretsKey: string | null;
  /** Still opens what was sealed with it. */
  formerSecretsKey: string | null;
  /** Null where nothing is traced. */
  tracing: TracingConfig | null;
  /** How long requests under way may go on after a signal, in seconds; 0 ends within five. */
  drainS: number;
  /** Off only to measure what one client can write. */
  writeLimits: boolean;
}

/** A wrong variable: one line that names it, what was given and what is accepted. */
class ConfigError extends OperatorError {}

const whole = /^\d{1,15}$/;

const isCidr = (text: string): boolean => {
  const [address = "", bits, rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest !== undefined) return false;
  return bits === undefined || (whole.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

const httpUrl = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.hostname !== "";

const isOrigin = (text: string): boolean => new URL(text).href === `${new URL(text).origin}/`;

const isPlainUrl = (text: string): boolean => {
  const { search, hash, username } = new URL(text);
  return `${search}${hash}${username}` === "";
};

const needsS3 = (name: string, why = "") =>
  new ConfigError(
    `${name}: ${why}object storage needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together.`,
  );

const maxWebProcesses = 8;

/** One for each core where there are more than two, as long as each has a gigabyte of memory. */
export function defaultWebProcesses(cores: number, memoryBytes: number): number {
  if (cores <= 2) return 1;
  return Math.max(1, Math.min(cores, maxWebProcesses, Math.round(memoryBytes / 1024 ** 3)));
}

/** Systems on which Node lets several processes listen on one port. */
const sharesPorts = !["darwin", "win32"].includes(process.platform);

/** Each process would take another port for 0. The server of development replaces modules in place. */
const maySharePort = ({ role, mode, port }: Pick<Config, "role" | "mode" | "port">): boolean =>
  sharesPorts && role !== "worker" && mode !== "development" && port !== 0;

/** One encode uses about four cores well. */
export const defaultMediaConcurrency = (cores: number): number =>
  Math.max(1, Math.min(4, Math.floor(cores / 4)));

/** The memory of this machine, or of the container if that has less. */
const findMemoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

interface Rule<T> {
  accepts: string;
  read: (text: string) => T | undefined;
  secret?: boolean;
}

const integer = (min: number, max: number): Rule<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  read: (text) => {
    const value = whole.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  },
});

const oneOf = <const T extends string>(values: readonly T[]): Rule<T> => ({
  accepts: `one of ${values.join(", ")}`,
  read: (text) => values.find((value) => value === text),
});

const share: Rule<number> = {
  accepts: "a number from 0 to 1",
  read: (text) => (/^(0|1|0?\.\d{1,9})$/.test(text) ? Number(text) : undefined),
};

const matching = (
  accepts: string,
  test: (text: string) => boolean,
  secret = false,
): Rule<string> => ({
  accepts,
  read: (text) => (test(text) ? text : undefined),
  secret,
});

/**
 * Reads and checks the environment. An empty value counts as unset.
 * @throws ConfigError with one line for the operator.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  function get<T>(name: string, rule: Rule<T>): T | null {
    const text = env[name]?.trim() ?? "";
    if (text === "") return null;
    const value = rule.read(text);
    if (value === undefined) {
      const given = rule.secret === true ? "what was given" : `"${text}"`;
      throw new ConfigError(`${name}: ${given} is not accepted; give ${rule.accepts}.`);
    }
    return value;
  }

  const mode = env["NODE_ENV"] === "development" ? "development" : "production";
  const port = get("PORT", integer(0, 65535)) ?? 3000;
  const address = matching("an IP address or a host name", (t) => /^[\w.:-]+$/.test(t));
  const host = get("HOST", address) ?? (mode === "development" ? "127.0.0.1" : "0.0.0.0");

  const email = get(
    "ADMIN_EMAIL",
    matching("an email address", (t) => z.email().safeParse(t).success),
  );
  const password = get(
    "ADMIN_PASSWORD",
    matching("a password of at least 8 characters", (t) => t.length >= 8 && t.length <= 1000, true),
  );
  if ((email === null) !== (password === null)) {
    const missing = email === null ? "ADMIN_EMAIL" : "ADMIN_PASSWORD";
    throw new ConfigError(
      `${missing}: nothing was given; ADMIN_EMAIL and ADMIN_PASSWORD go together, give both or neither.`,
    );
  }

  const url = matching("an http or https address", httpUrl, true);
  const nonEmpty = (what: string, secret = false) => matching(what, () => true, secret);
  const secretsKey = matching("at least 32 characters", (text) => text.length >= 32, true);
  const s3 = readS3();
  const mediaDelivery = get("MEDIA_DELIVERY", oneOf(["site", "redirect"])) ?? "site";
  const mediaBaseUrl = get(
    "MEDIA_BASE_URL",
    matching("an http or https address without a query", (t) => httpUrl(t) && isPlainUrl(t)),
  );
  if (s3 === null && mediaBaseUrl !== null) throw needsS3("MEDIA_BASE_URL");
  if (s3 === null && mediaDelivery === "redirect") throw needsS3("MEDIA_DELIVERY");

  function readS3(): S3Config | null {
    const endpoint = get("S3_ENDPOINT", matching("an http or https address", httpUrl));
    const bucket = get(
      "S3_BUCKET",
      matching("a bucket name", (t) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(t)),
    );
    const accessKeyId = get("S3_ACCESS_KEY_ID", nonEmpty("an access key id"));
    const secretAccessKey = get("S3_SECRET_ACCESS_KEY", nonEmpty("a secret access key", true));
    const others = {
      region: get(
        "S3_REGION",
        matching("a region name", (t) => /^[\w-]+$/.test(t)),
      ),
      publicEndpoint: get("S3_PUBLIC_ENDPOINT", matching("an http or https address", httpUrl)),
      prefix: get(
        "S3_PREFIX",
        matching("a folder such as kinora/media", (t) => /^[\w-]+(\/[\w-]+)*\/?$/.test(t)),
      ),
      pathStyle: get("S3_PATH_STYLE", oneOf(["0", "1", "false", "true"])),
    };
    const needed = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    if (endpoint === null || bucket === null || accessKeyId === null || secretAccessKey === null) {
      const given = [...Object.values(needed), ...Object.values(others)];
      if (given.every((value) => value === null)) return null;
      const missing = Object.entries(needed).find(([, value]) => value === null)?.[0] ?? "";
      throw needsS3(missing, "nothing was given; ");
    }
    return {
      endpoint,
      bucket,
      accessKeyId,
      secretAccessKey,
      publicEndpoint: others.publicEndpoint ?? endpoint,
      region: others.region ?? "us-east-1",
      prefix: others.prefix === null ? "" : `${others.prefix.replace(/\/$/, "")}/`,
      isPathStyle: ["1", "true"].includes(others.pathStyle ?? "1"),
    };
  }

  const smtpUrl = get(
    "SMTP_URL",
    matching(
      "an address such as smtp://user:password@mail.example.com:587",
      (t) => /^smtps?:$/.test(URL.parse(t)?.protocol ?? "") && URL.parse(t)?.hostname !== "",
      true,
    ),
  );
  const mailFrom = get(
    "MAIL_FROM",
    matching("an email address", (t) => z.email().safeParse(t).success),
  );
  if ((smtpUrl === null) !== (mailFrom === null)) {
    const missing = smtpUrl === null ? "SMTP_URL" : "MAIL_FROM";
    throw new ConfigError(
      `${missing}: nothing was given; SMTP_URL and MAIL_FROM go together, give both or neither.`,
    );
  }

  const networks = matching(
    "IP addresses or networks such as 10.0.0.0/8, separated by commas",
    (t) => t.split(",").every((part) => isCidr(part.trim())),
  );
  const getNetworks = (name: string): string[] =>
    (get(name, networks) ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  const siteUrl = get(
    "SITE_URL",
    matching("an http or https address without a path", (t) => httpUrl(t) && isOrigin(t)),
  );
  const findSwitch = (name: string): boolean | null => {
    const value = get(name, oneOf(["0", "1", "false", "true"]));
    return value === null ? null : value === "1" || value === "true";
  };
  const isOn = (name: string): boolean => findSwitch(name) ?? true;
  const databaseAddress = matching(
    "a postgres:// or postgresql:// address",
    (t) => /^postgres(ql)?:\/\/\S+$/.test(t),
    true,
  );
  const databaseUrl = get("DATABASE_URL", databaseAddress);
  const databaseListenUrl = get("DATABASE_LISTEN_URL", databaseAddress);
  const databaseReadUrl = get("DATABASE_READ_URL", databaseAddress);
  if (databaseUrl === null && (databaseListenUrl !== null || databaseReadUrl !== null)) {
    const companion = databaseListenUrl === null ? "DATABASE_READ_URL" : "DATABASE_LISTEN_URL";
    throw new ConfigError(
      `DATABASE_URL: nothing was given; ${companion} is another address of the same database, give both or neither.`,
    );
  }

  const endpoints = [
    get("OTEL_EXPORTER_OTLP_ENDPOINT", url),
    get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url),
  ];
  const isTracingOff =
    [
      get("OTEL_SDK_DISABLED", oneOf(["true", "false"])) === "true",
      get("OTEL_TRACES_EXPORTER", oneOf(["otlp", "none"])) === "none",
    ].some(Boolean) || endpoints.every((endpoint) => endpoint === null);
  const tracing: TracingConfig = {
    sampler: get("OTEL_TRACES_SAMPLER", oneOf(samplers)) ?? "parentbased_always_on",
    ratio: get("OTEL_TRACES_SAMPLER_ARG", share) ?? 1,
  };

  const importDir = get("IMPORT_DIR", matching("an absolute path", isAbsolute));
  const hardwareEncoder =
    get("HARDWARE_ENCODER", oneOf(["off", "auto", ...hardwareEncoderNames])) ?? "off";
  const role = get("ROLE", oneOf(["all", "web", "worker"])) ?? "all";
  const webProcesses =
    get("WEB_PROCESSES", integer(1, maxWebProcesses)) ??
    defaultWebProcesses(availableParallelism(), findMemoryBytes());

  return {
    mode,
    port,
    host,
    dataDir: resolve(env["DATA_DIR"]?.trim() || "./data"),
    databaseUrl,
    databaseListenUrl,
    databaseReadUrl,
    databaseReadMaxLagS: get("DATABASE_READ_MAX_LAG", integer(1, 300)) ?? 5,
    preparedStatements: findSwitch("DATABASE_PREPARED"),
    s3,
    mediaDelivery,
    mediaBaseUrl: mediaBaseUrl?.replace(/\/+$/, "") ?? null,
    admin: email !== null && password !== null ? { email, password } : null,
    siteUrl: siteUrl === null ? `http://localhost:${port}` : new URL(siteUrl).origin,
    trustProxy: getNetworks("TRUST_PROXY"),
    webhookNetworks: getNetworks("WEBHOOK_NETWORKS"),
    geoHeader:
      get(
        "GEO_HEADER",
        matching("the name of a header such as CF-IPCountry", (t) => /^[a-z0-9-]{1,64}$/i.test(t)),
      )?.toLowerCase() ?? null,
    captionCommand: get(
      "CAPTION_COMMAND",
      matching("a command line in which {audio} stands", (t) => t.includes("{audio}")),
    ),
    captionLanguage:
      get(
        "CAPTION_LANGUAGE",
        matching("auto, or a code such as en", (t) =>
          /^(auto|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/.test(t),
        ),
      ) ?? "auto",
    ffmpegPath: get("FFMPEG_PATH", nonEmpty("a path")),
    ffprobePath: get("FFPROBE_PATH", nonEmpty("a path")),
    hardwareEncoder: hardwareEncoder === "off" ? null : hardwareEncoder,
    role,
    webProcesses: maySharePort({ role, mode, port }) ? webProcesses : 1,
    mediaConcurrency:
      get("MEDIA_CONCURRENCY", integer(1, 16)) ?? defaultMediaConcurrency(availableParallelism()),
    maxUploadBytes: get("MAX_UPLOAD_BYTES", integer(1, 1_000_000_000_000)) ?? limits.maxUploadBytes,
    importDir: importDir === null ? null : resolve(importDir),
    accelRedirect: get(
      "ACCEL_REDIRECT",
      matching("an internal path such as /_media", (t) => /^\/[\w/-]*[\w-]$/.test(t)),
    ),
    logLevel: get("LOG_LEVEL", oneOf(logLevels)) ?? "info",
    metricsPort: get("METRICS_PORT", integer(0, 65535)),
    metricsHost: get("METRICS_HOST", address) ?? "127.0.0.1",
    responseCache: isOn("RESPONSE_CACHE"),
    cdnMaxAgeS: get("CDN_MAX_AGE", integer(0, 3600)) ?? 0,
    cdnPurgeUrl: get("CDN_PURGE_URL", matching("an http or https address", httpUrl, true)),
    historyMonths: get("HISTORY_MONTHS", integer(4, 1200)) ?? 12,
    smtp: smtpUrl !== null && mailFrom !== null ? { url: smtpUrl, from: mailFrom } : null,
    secretsKey: get("SECRETS_KEY", secretsKey),
    formerSecretsKey: get("SECRETS_KEY_OLD", secretsKey),
    tracing: isTracingOff ? null : tracing,
    drainS: get("DRAIN_SECONDS", integer(0, 3600)) ?? 0,
    writeLimits: isOn("WRITE_LIMITS"),
  };
}
