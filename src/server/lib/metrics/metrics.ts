/** What one label combination has come to. `buckets` holds a histogram's counts, one beyond its bounds. */
interface Sample {
  /** As Prometheus writes them: `route="/healthz",status="2xx"`. */
  labels: string;
  /** Of a histogram the sum of all observations. */
  value: number;
  buckets?: number[];
}

/** All samples of one name. Processes send them to each other as JSON. */
export interface MetricFamily {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  /** The upper bounds of a histogram's buckets, without +Inf. */
  bounds?: readonly number[];
  samples: Sample[];
}

type Labels = Record<string, string>;

interface Counter {
  add(labels?: Labels, by?: number): void;
}

interface Histogram {
  /** @param seconds or another unit, as the name says. */
  observe(labels: Labels, seconds: number): void;
}

interface Reading {
  labels?: Labels;
  value: number;
}

/**
 * What an operator measures, in the model of Prometheus. Label values come from fixed sets: each
 * combination is a time series of its own.
 */
export interface Metrics {
  /** @param known labels that begin at 0: an increase from nothing is none for Prometheus. */
  counter(name: string, help: string, known?: Labels[]): Counter;
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** A value that is read on request; one that cannot be read is left out. */
  read(
    type: "counter" | "gauge",
    name: string,
    help: string,
    read: () => Reading[] | Promise<Reading[]>,
  ): void;
  collect(): Promise<MetricFamily[]>;
}

const escaped = (value: string): string =>
  /[\\\n"]/.test(value)
    ? value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')
    : value;

/** It runs for each request: joining an array of entries takes twice the time. */
function textOf(labels: Labels): string {
  let text = "";
  for (const name in labels)
    text += `${text === "" ? "" : ","}${name}="${escaped(labels[name] ?? "")}"`;
  return text;
}

/** Samples by their labels. */
function createSamples(create: () => Omit<Sample, "labels">) {
  const samples = new Map<string, Sample>();
  return {
    list: () => [...samples.values()],
    get(labels: Labels): Sample {
      const text = textOf(labels);
      const sample = samples.get(text) ?? { labels: text, ...create() };
      samples.set(text, sample);
      return sample;
    },
  };
}

export function createMetrics(): Metrics {
  const families: (() => MetricFamily | Promise<MetricFamily>)[] = [];
  return {
    counter(name, help, known = []) {
      const samples = createSamples(() => ({ value: 0 }));
      for (const labels of known) samples.get(labels);
      families.push(() => ({ name, help, type: "counter", samples: samples.list() }));
      return {
        add(labels = {}, by = 1) {
          samples.get(labels).value += by;
        },
      };
    },

    histogram(name, help, bounds) {
      const samples = createSamples(() => ({
        value: 0,
        buckets: Array.from({ length: bounds.length + 1 }, () => 0),
      }));
      families.push(() => ({ name, help, type: "histogram", bounds, samples: samples.list() }));
      return {
        observe(labels, value) {
          const sample = samples.get(labels);
          sample.value += value;
          const at = bounds.findIndex((bound) => value <= bound);
          const { buckets = [] } = sample;
          const index = at < 0 ? bounds.length : at;
          buckets[index] = (buckets[index] ?? 0) + 1;
        },
      };
    },

    read(type, name, help, read) {
      families.push(async () => {
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => []);
        const samples = readings.map(({ labels = {}, value }) => ({
          labels: textOf(labels),
          value,
        }));
        return { name, help, type, samples };
      });
    },

    collect: () => Promise.all(families.map(async (collect) => collect())),
  };
}
