import { useEffect, useRef, useState } from "react";
import { addSample, describeRemaining, remainingS, type ProgressSample } from "./remaining-time.ts";

/** Milliseconds without progress after which the speed counts as unknown. */
const staleMs = 60_000;

/** Estimates the remaining processing time from progress events. Null while unknown. */
export function useRemainingTime(progress: number | null): string | null {
  const samples = useRef<ProgressSample[]>([]);
  const [leftS, setLeftS] = useState<number | null>(null);
  useEffect(() => {
    samples.current =
      progress === null ? [] : addSample(samples.current, { atMs: performance.now(), progress });
    setLeftS(remainingS(samples.current));
    const timer = setTimeout(() => setLeftS(null), staleMs);
    return () => clearTimeout(timer);
  }, [progress]);
  return leftS === null ? null : describeRemaining(leftS);
}
