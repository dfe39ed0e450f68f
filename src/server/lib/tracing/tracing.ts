/** What the standard variables of OpenTelemetry say; the exporter reads its own. */
export interface TracingConfig {
  sampler: (typeof samplers)[number];
  /** The share of requests and jobs that a ratio sampler takes. */
  ratio: number;
}

export const samplers = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

type Attributes = Record<string, string | number | boolean>;

export interface SpanStart {
  name: string;
  kind: "server" | "client" | "consumer" | "internal";
  attributes: Attributes;
}

export interface OpenSpan {
  /** Calls `next`; spans that begin in it or after it are children of this one. */
  within(next: () => void): void;
  end(result: { attributes: Attributes; error?: unknown }): void;
}

/** Spans of requests, statements, jobs and media tools, sent to where the operator says. */
export interface Tracing {
  /** @param traceparent of the caller, if it may name one. */
  begin(span: SpanStart, traceparent?: string): OpenSpan;
  /** Does some work in a span that is a child of the one around it. */
  run<T>(span: SpanStart, work: () => Promise<T>): Promise<T>;
  /** Adds a span that ends now. */
  record(span: SpanStart & { durationMs: number; error?: unknown }): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}
