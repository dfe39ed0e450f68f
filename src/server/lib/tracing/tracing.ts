/** Settings from OpenTelemetry's standard variables. The exporter reads its own. */
export interface TracingConfig {
  sampler: (typeof samplers)[number];
  /** Fraction of requests and jobs that a ratio sampler records. */
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
  /** Calls `next`. Spans that start in it or afterwards are children of this one. */
  within(next: () => void): void;
  end(result: { attributes: Attributes; error?: unknown }): void;
}

/** Spans of requests, statements, jobs and media tools, sent to the operator's collector. */
export interface Tracing {
  /** @param traceparent header of the caller, if it is trusted. */
  begin(span: SpanStart, traceparent?: string): OpenSpan;
  /** Runs work in a child span of the current one. */
  run<T>(span: SpanStart, work: () => Promise<T>): Promise<T>;
  /** Adds a span that ends now. */
  record(span: SpanStart & { durationMs: number; error?: unknown }): void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}
