/** Parses the `key=value` lines of `-progress pipe:1` from chunks of any size. */
export function createProgressReader(onOutTime?: (outTimeS: number) => void) {
  let pending = "";
  let outTimeS = 0;
  const seen: Record<string, string> = {};

  return {
    add(chunk: Buffer): void {
      pending += chunk.toString("latin1");
      const lines = pending.split("\n");
      pending = (lines.pop() ?? "").slice(-1000);
      for (const line of lines) {
        const [key, value] = line.split("=");
        if (key === undefined || value === undefined) continue;
        if (key === "frame" || key === "out_time_us" || key === "total_size") seen[key] = value;
        if (key !== "out_time_us") continue;
        const reported = Number(value) / 1e6;
        if (!Number.isFinite(reported) || reported <= outTimeS) continue;
        outTimeS = reported;
        onOutTime?.(outTimeS);
      }
    },
    /** Seconds of output written so far. */
    outTimeS: (): number => outTimeS,
    /** Returns a value that changes whenever the tool makes progress. */
    mark: (): string => `${seen["frame"]}/${seen["out_time_us"]}/${seen["total_size"]}`,
  };
}
