import { z } from "zod";

/** ISO 3166-1 alpha-2 codes, as proxies name countries. */
export const countries = z
  .array(
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, "Use two-letter country codes, such as DE"),
  )
  .max(250)
  .transform((list) => [...new Set(list)]);
