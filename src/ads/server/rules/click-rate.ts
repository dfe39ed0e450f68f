interface Clicked {
  impressions: number;
  clicks: number;
}

/** Returns the click rate and its 95% Wilson interval, in percent. */
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
