import { inPageLanguage } from "./format.ts";

const growth = inPageLanguage(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: "percent",
      signDisplay: "exceptZero",
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    }),
);

/** Formats "+12.5%", "-3.0%", "0.0%". */
export const formatGrowth = (percent: number): string => growth().format(percent / 100);
