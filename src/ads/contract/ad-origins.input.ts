import { z } from "zod";
import { isListedOrigin } from "./ad-origins.ts";

/** Accepts a list of origins as typed or sent, without duplicates. */
export const originList = (max: number) =>
  z
    .array(
      z
        .string()
        .max(500, "is too long for an origin")
        .trim()
        .toLowerCase()
        .transform((text) => text.replace(/\/$/, ""))
        .refine(isListedOrigin, {
          error:
            "must be origins such as https://cdn.example.com or https://*.example.com, without a path",
        }),
    )
    .max(max, `at most ${max} origins`)
    .transform((origins) => [...new Set(origins)]);
