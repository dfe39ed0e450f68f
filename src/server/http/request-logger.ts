import type { FastifyBaseLogger } from "fastify";

type Level = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/**
 * The logger of one request. Most requests log nothing, and a child of the site's logger costs them a
 * microsecond and much garbage, so it is created with the first line.
 */
class RequestLogger implements FastifyBaseLogger {
  readonly #site: FastifyBaseLogger;
  readonly #bindings: object;
  #own: FastifyBaseLogger | null = null;

  constructor(site: FastifyBaseLogger, bindings: object) {
    this.#site = site;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#site.level;
  }

  #write(level: Level, line: unknown[]): void {
    this.#own ??= this.#site.child(this.#bindings);
    Reflect.apply(this.#own[level], this.#own, line);
  }

  child(bindings: object): FastifyBaseLogger {
    return new RequestLogger(this.#site, { ...this.#bindings, ...bindings });
  }

  trace(...line: unknown[]): void {
    this.#write("trace", line);
  }

  debug(...line: unknown[]): void {
    this.#write("debug", line);
  }

  info(...line: unknown[]): void {
    this.#write("info", line);
  }

  warn(...line: unknown[]): void {
    this.#write("warn", line);
  }

  error(...line: unknown[]): void {
    this.#write("error", line);
  }

  fatal(...line: unknown[]): void {
    this.#write("fatal", line);
  }

  silent(): void {}
}

export const createRequestLogger = (site: FastifyBaseLogger, bindings: object): FastifyBaseLogger =>
  new RequestLogger(site, bindings);
