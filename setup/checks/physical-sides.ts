import { globSync, readFileSync } from "node:fs";

/**
 * Reports declarations of style sheets that name the left or the right, because right-to-left pages
 * mirror the layout. A comment `physical: reason` in the same line allows one. The lint rule
 * `kinora/sides` checks class names.
 */
const declaration =
  /(?<=[\s;{])(?:(?:margin-|padding-|border-|scroll-margin-|scroll-padding-)?(?:left|right)(?:-(?:width|color|style))?\s*:[^;}]+|border-(?:top|bottom)-(?:left|right)-radius\s*:[^;}]+|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/g;
const shorthand = /(?<=[\s;{])(?:margin|padding|inset)\s*:([^;}]+)/g;
/** One value, such as `calc(1rem + 2px)`. */
const value = /(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g;

/** Returns the declarations of a style sheet that name a side. */
export function findPhysicalSides(text: string): string[] {
  const css = text.replace(/.*\/\* physical: .*/g, "").replace(/\/\*[\s\S]*?\*\//g, "");
  const uneven = [...css.matchAll(shorthand)].filter(([, values = ""]) => {
    const [, right, , left] = values.match(value) ?? [];
    return left !== undefined && left !== right;
  });
  return [...(css.match(declaration) ?? []), ...uneven.map(([all]) => all)].map((side) =>
    side.replace(/\s+/g, " ").trim(),
  );
}

if (import.meta.main) {
  for (const file of globSync("src/**/*.css").toSorted()) {
    for (const side of findPhysicalSides(readFileSync(file, "utf8"))) {
      console.log(`${file}: "${side}" names a side; name the start or the end of the line`);
      process.exitCode = 1;
    }
  }
}
