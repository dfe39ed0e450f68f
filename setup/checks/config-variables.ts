interface Variable {
  fallback: string;
  means: string;
}

const unset = "unset";

/** Defaults and meanings of the environment variables, by heading of the page. */
export const variables: Record<string, Record<string, Variable>> = {
  "The server": {
    PORT: { fallback: "`3000`", means: "port to listen on" },
    HOST: { fallback: "`0.0.0.0`; `127.0.0.1` with `npm run dev`", means: "address to listen on" },
    SITE_URL: {
      fallback: "`http://localhost:PORT`",
      means:
        "canonical URL until Settings has one. Links in account emails and passkeys always use it, so update it if the site moves",
    },
    DATA_DIR: { fallback: "`./data`", means: "embedded database, media and uploads in progress" },
    ROLE: {
      fallback: "`all`",
      means: "`web` serves requests, `worker` runs jobs, `all` does both",
    },
    WEB_PROCESSES: {
      fallback: "one per core and GB of memory, at most 8; 1 with one or two cores",
      means: "processes that serve requests. See [several machines](several-machines.md)",
    },
    MEDIA_CONCURRENCY: {
      fallback: "one per four cores, from 1 to 4",
      means: "encodes of each kind that one process runs at once",
    },
    DRAIN_SECONDS: {
      fallback: "`0`",
      means:
        "how long requests may finish after SIGTERM. With 0, the process stops within five seconds",
    },
    MAX_UPLOAD_BYTES: { fallback: "`524288000`", means: "largest upload, in bytes" },
    IMPORT_DIR: {
      fallback: unset,
      means:
        "folder that media can be imported from, and that can be [watched](../watched-folder.md). See [import and export](../import-export.md)",
    },
    HISTORY_MONTHS: {
      fallback: "`12`",
      means:
        "months to keep single plays and daily views, which are deleted a whole month at a time. Totals never change",
    },
    LOG_LEVEL: { fallback: "`info`", means: "level of the log" },
  },
  Accounts: {
    ADMIN_EMAIL: {
      fallback: unset,
      means:
        "creates this account at startup while the site has no owner. Set `ADMIN_PASSWORD`, too",
    },
    ADMIN_PASSWORD: { fallback: unset, means: "password of that account" },
    SECRETS_KEY: {
      fallback: unset,
      means:
        "encrypts authenticator secrets and the links of passes. See [backing up](backing-up.md#secrets)",
    },
    SECRETS_KEY_OLD: { fallback: unset, means: "previous key, while you change it" },
    SMTP_URL: {
      fallback: unset,
      means:
        "mail server, such as `smtp://user:password@host:587` or `smtps://…`. Without it, the site sends no email. Set `MAIL_FROM`, too. Kinora greets the server with the host of `SITE_URL`, or with the name in `?name=`",
    },
    MAIL_FROM: { fallback: unset, means: "sender of all email" },
  },
  Database: {
    DATABASE_URL: {
      fallback: "unset: embedded",
      means:
        "PostgreSQL 15 to 18 with the extensions `pg_trgm` and `unaccent`. Create the database with `createdb --template=template0 --encoding=UTF8 --locale=C.UTF-8 NAME`. The user in the address owns it",
    },
    DATABASE_POOLER: {
      fallback: "on with `DATABASE_LISTEN_URL`",
      means: "whether `DATABASE_URL` points to a pooler in transaction mode",
    },
    DATABASE_LISTEN_URL: {
      fallback: unset,
      means: "direct address of the same database, if `DATABASE_URL` points to a pooler",
    },
    DATABASE_READ_URL: { fallback: unset, means: "replica for lists, search and pages" },
    DATABASE_READ_MAX_LAG: { fallback: "`5`", means: "seconds the replica may be behind" },
    DATABASE_PREPARED: {
      fallback: "off with a pooler",
      means: "whether to prepare statements. Turn it on if the pooler keeps them",
    },
  },
  "Object storage": {
    S3_ENDPOINT: {
      fallback: "unset: media in `DATA_DIR`",
      means:
        "S3-compatible storage, together with `S3_BUCKET` and both keys. See [object storage](object-storage.md)",
    },
    S3_BUCKET: { fallback: unset, means: "bucket, which stays private" },
    S3_ACCESS_KEY_ID: { fallback: unset, means: "access key" },
    S3_SECRET_ACCESS_KEY: { fallback: unset, means: "secret of the access key" },
    S3_REGION: { fallback: "`us-east-1`", means: "region" },
    S3_PREFIX: { fallback: "none", means: "folder in the bucket" },
    S3_PATH_STYLE: { fallback: "`1`", means: "`0` puts the bucket in front of the host name" },
    S3_PUBLIC_ENDPOINT: {
      fallback: "`S3_ENDPOINT`",
      means: "address of the same storage for browsers",
    },
    MEDIA_DELIVERY: {
      fallback: "`site`",
      means: "`redirect` sends browsers to signed URLs of the bucket",
    },
    MEDIA_BASE_URL: {
      fallback: unset,
      means: "public URL of published files, usually a CDN",
    },
  },
  Media: {
    FFMPEG_PATH: {
      fallback: "found on `PATH`, otherwise bundled",
      means: "ffmpeg 5 or newer",
    },
    FFPROBE_PATH: {
      fallback: "found on `PATH`, otherwise bundled",
      means: "ffprobe 5 or newer",
    },
    CAPTION_COMMAND: {
      fallback: unset,
      means: "makes captions from sound. See [media processing](media.md#automatic-captions)",
    },
    CAPTION_LANGUAGE: { fallback: "`auto`", means: "language passed to that command" },
  },
  "Proxies and networks": {
    TRUST_PROXY: {
      fallback: unset,
      means:
        "proxies whose `X-Forwarded-*` headers are trusted. See [reverse proxy](reverse-proxy.md)",
    },
    MEDIA_BYTES_PER_HOUR: {
      fallback: unset,
      means:
        "media bytes that one address group may receive in an hour, unless Settings has a limit. See [security](security.md#the-hourly-budget)",
    },
    ACCEL_REDIRECT: { fallback: unset, means: "lets nginx send media files" },
    CDN_MAX_AGE: { fallback: "`0`", means: "seconds a CDN may cache pages and lists" },
    CDN_PURGE_URL: { fallback: unset, means: "URL that receives the tags of changed content" },
    GEO_HEADER: {
      fallback: unset,
      means:
        "header with the visitor's country, for [country blocks](../moderation.md), campaign targets and statistics",
    },
    WEBHOOK_NETWORKS: {
      fallback: unset,
      means: "private networks that [webhooks](../webhooks.md) may reach",
    },
  },
  Monitoring: {
    METRICS_PORT: {
      fallback: "unset: off",
      means: "port for Prometheus and health checks. See [monitoring](monitoring.md)",
    },
    METRICS_HOST: { fallback: "`127.0.0.1`", means: "address for that port" },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      fallback: "unset: off",
      means: "OpenTelemetry collector. See [traces](monitoring.md#traces)",
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      fallback: unset,
      means: "complete URL for traces, instead of the endpoint",
    },
    OTEL_SDK_DISABLED: { fallback: "`false`", means: "turns traces off" },
    OTEL_TRACES_EXPORTER: { fallback: "`otlp`", means: "`none` turns traces off" },
    OTEL_TRACES_SAMPLER: {
      fallback: "`parentbased_always_on`",
      means: "which traces to send",
    },
    OTEL_TRACES_SAMPLER_ARG: { fallback: "`1`", means: "share of traces for ratio samplers" },
  },
  "For benches only": {
    RESPONSE_CACHE: { fallback: "`1`", means: "`0` turns the response cache off" },
    WRITE_LIMITS: { fallback: "`1`", means: "`0` turns limits on writes off" },
  },
};
