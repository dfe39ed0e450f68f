import { expect, it } from "vitest";
import { findPhysicalSides } from "./physical-sides.ts";

it("finds declarations that name a side", () => {
  const css = `
    /* left: 0; */
    .a { left: 0; padding-right : 1px; text-align: right; border-top-left-radius: 2px }
    .b { padding: 1px 2px 3px 4px; margin: 0 calc(1px + (2px)) 0 calc(1px + (2px)); inset: 0 auto 0 0 }
    .c { inset-inline-start: 0; text-align: start; background-position: left; padding: 1px 2px 3px }
    .d {
      left: 0; /* physical: time runs from left to right */
    }
  `;
  expect(findPhysicalSides(css)).toEqual([
    "left: 0",
    "padding-right : 1px",
    "text-align: right",
    "border-top-left-radius: 2px",
    "padding: 1px 2px 3px 4px",
    "inset: 0 auto 0 0",
  ]);
});
