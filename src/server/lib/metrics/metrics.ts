import { AggregatorRegistry, Counter, Gauge, Registry } from "prom-client";

/**
 * Metrics of one process. Label values come from fixed sets, because each combination is a separate
 * time series.
 */
export type Metrics = Registry;

export const createMetrics = (): Metrics => new Registry();

/** Metrics in the form in which processes exchange them. */
export type MetricsJson = Awaited<ReturnType<Metrics["getMetricsAsJSON"]>>;

type Labels = Record<string, string>;

interface Reading {
  labels?: Labels;
  value: number;
}

/**
 * Adds a counter.
 * @param known label combinations initialised to 0, because Prometheus ignores the first sample of
 * a new series.
 */
export function addCounter(
  metrics: Metrics,
  name: string,
  help: string,
  known: readonly Labels[],
): Counter {
  const labelNames = Object.keys(known[0] ?? {});
  const counter = new Counter({ name, help, labelNames, registers: [metrics] });
  for (const labels of known) counter.inc(labels, 0);
  return counter;
}

/** Adds a value that is read on request. It is left out if it can't be read. */
export function addReading(
  metrics: Metrics,
  type: "counter" | "gauge",
  metric: { name: string; help: string; labelNames?: string[] },
  read: () => Reading[] | Promise<Reading[]>,
): void {
  const options = { ...metric, registers: [metrics] };
  const collect = async (write: (reading: Reading) => void, reset: () => void) => {
    reset();
    const readings = await Promise.resolve()
      .then(read)
      .catch(() => []);
    for (const reading of readings) write(reading);
  };
  if (type === "gauge") {
    const gauge: Gauge = new Gauge({
      ...options,
      collect: () =>
        collect(
          ({ labels = {}, value }) => gauge.set(labels, value),
          () => gauge.reset(),
        ),
    });
    return;
  }
  const counter: Counter = new Counter({
    ...options,
    collect: () =>
      collect(
        ({ labels = {}, value }) => counter.inc(labels, value),
        () => counter.reset(),
      ),
  });
}

/** Adds up the metrics of several processes. Samples with the same labels are summed. */
export const mergeMetrics = (all: readonly MetricsJson[]): Metrics =>
  AggregatorRegistry.aggregate([...all]);

/**
 * Returns the part of an ended process's metrics that is retained: its totals, so that no counter
 * ever decreases.
 */
export const totalsOf = (all: MetricsJson): MetricsJson =>
  all.filter(
    ({ type, values }) =>
      String(type) !== "gauge" && !values.some(({ labels }) => "process" in labels),
  );
