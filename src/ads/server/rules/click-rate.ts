interface Clicked {
  impressions: number;
  clicks: number;
}

/**
 * Draws a click rate from what is known of it, a beta distribution. The ad with the highest draw is
 * shown (Thompson sampling), so that an ad is shown as often as it is likely to be the best.
 */
export function sampleClickRate({ impressions, clicks }: Clicked, random: () => number): number {
  const clicked = sampleGamma(clicks + 1, random);
  const ignored = sampleGamma(Math.max(0, impressions - clicks) + 1, random);
  return clicked / (clicked + ignored);
}

/** Marsaglia and Tsang's method, for shapes from 1. */
function sampleGamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

const sampleNormal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** The click rate and Wilson's interval of 95%, in percent. */
export function clickRateInterval({ impressions, clicks }: Clicked) {
  if (impressions === 0) return { rate: 0, rateFrom: 0, rateTo: 100 };
  const z = 1.96;
  const p = Math.min(1, clicks / impressions);
  const share = (z * z) / impressions;
  const middle = p + share / 2;
  const half = z * Math.sqrt((p * (1 - p)) / impressions + share / (4 * impressions));
  const percent = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 1000;
  return {
    rate: percent(p),
    rateFrom: percent((middle - half) / (1 + share)),
    rateTo: percent((middle + half) / (1 + share)),
  };
}
