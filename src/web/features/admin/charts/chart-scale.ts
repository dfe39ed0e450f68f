export interface Scale {
  max: number;
  ticks: number[];
}

/**
 * Returns a scale from 0 to at least `highest` with round steps: 1, 2, 2.5 or 5 times a power of
 * ten.
 */
export function niceScale(highest: number, steps = 4): Scale {
  if (!(highest > 0)) return { max: steps, ticks: Array.from({ length: steps + 1 }, (_, n) => n) };
  const rough = highest / steps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((choice) => choice * power >= rough) ?? 10;
  // Counts are whole numbers.
  const step = highest <= steps ? 1 : factor * power;
  const count = Math.ceil(highest / step);
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}
