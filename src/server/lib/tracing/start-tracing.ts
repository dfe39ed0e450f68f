import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from "@opentelemetry/sdk-trace";
import { warnLimited, type Logger } from "#server/lib/logger.ts";
import type { OpenSpan, SpanStart, Tracing, TracingConfig } from "./tracing.ts";

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = sampler.endsWith("always_off")
    ? new AlwaysOffSampler()
    : sampler.endsWith("traceidratio")
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return sampler.startsWith("parentbased") ? new ParentBasedSampler({ root }) : root;
}

/** Parses the W3C header: version, trace, span and flags. Returns null for anything else. */
function readTraceparent(header: string): Context | null {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const isValid = !/^0*$/.test(traceId) && !/^0*$/.test(spanId);
  return isValid ? trace.setSpanContext(ROOT_CONTEXT, parent) : null;
}

/** Time to send the last spans when a process stops. */
const flushMs = 2000;

/** Creates an exporter that logs failures, because OpenTelemetry doesn't report them. */
function createExporter(logger: Logger): OTLPTraceExporter {
  const exporter = new OTLPTraceExporter();
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const { error } = result;
      if (error !== undefined)
        warnLimited(logger, "traces", { err: error }, "couldn't send traces");
      done(result);
    });
  return exporter;
}

/** Loaded only if OpenTelemetry's variables contain an endpoint. */
export function startTracing(config: TracingConfig, logger: Logger): Tracing {
  const named = resourceFromAttributes({ "service.name": "kinora" });
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: createExporter(logger) })],
  });
  const tracer = provider.getTracer("kinora");
  const active = new AsyncLocalStorage<Context>();
  const contextOf = (span: Span) => trace.setSpan(active.getStore() ?? ROOT_CONTEXT, span);

  const start = ({ name, kind, attributes }: SpanStart, parent?: Context, startTime?: number) =>
    tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, ...(startTime === undefined ? {} : { startTime }) },
      parent ?? active.getStore() ?? ROOT_CONTEXT,
    );

  const end: (span: Span, result: Parameters<OpenSpan["end"]>[0]) => void = (span, result) => {
    span.setAttributes(result.attributes);
    if (result.error !== undefined) {
      const message = result.error instanceof Error ? result.error.name : "";
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    span.end();
  };

  return {
    begin(about, traceparent) {
      const span = start(about, readTraceparent(traceparent ?? "") ?? ROOT_CONTEXT);
      return {
        within: (next) => active.run(contextOf(span), next),
        end: (result) => end(span, result),
      };
    },
    async run(about, work) {
      const span = start(about);
      try {
        const result = await active.run(contextOf(span), work);
        end(span, { attributes: {} });
        return result;
      } catch (error) {
        end(span, { attributes: {}, error });
        throw error;
      }
    },
    record({ durationMs, error, ...about }) {
      end(start(about, undefined, Date.now() - durationMs), { attributes: {}, error });
    },
    async stop() {
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, wait(flushMs, undefined, { ref: false })]);
    },
  };
}
