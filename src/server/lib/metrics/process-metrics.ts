import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { addReading, type Metrics } from "./metrics.ts";

/** Adds metrics of a process's resource usage. @param process its name, for the label. */
export function addProcessMetrics(metrics: Metrics, name: string): void {
  const labels = { process: name };
  const add = (
    type: "counter" | "gauge",
    name: string,
    help: string,
    read: () => number | Promise<number>,
  ) =>
    addReading(metrics, type, { name, help, labelNames: ["process"] }, async () => [
      { labels, value: await read() },
    ]);
  add("gauge", "kinora_process_resident_bytes", "Resident memory of a process.", () =>
    process.memoryUsage.rss(),
  );
  add(
    "counter",
    "kinora_process_cpu_seconds_total",
    "CPU time of a process, without ffmpeg.",
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  add(
    "gauge",
    "kinora_process_open_files",
    "Open files and connections.",
    async () => (await readdir("/proc/self/fd")).length,
  );
  add("gauge", "kinora_process_start_seconds", "Unix time at which the process started.", () =>
    Math.round(performance.timeOrigin / 1000),
  );

  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  addReading(
    metrics,
    "gauge",
    {
      name: "kinora_event_loop_delay_seconds",
      help: "Event loop delay since the last scrape.",
      labelNames: ["process", "percentile"],
    },
    () => {
      const readings = [
        { percentile: "50", value: delay.percentile(50) },
        { percentile: "99", value: delay.percentile(99) },
        { percentile: "100", value: delay.max },
      ];
      delay.reset();
      // In nanoseconds. Each value includes the timer's resolution.
      return readings.map(({ percentile, value }) => ({
        labels: { ...labels, percentile },
        value: Math.max(0, value / 1e9 - 0.02),
      }));
    },
  );
}
