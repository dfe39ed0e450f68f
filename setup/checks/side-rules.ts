import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * Right-to-left pages mirror the layout. Classes and declarations name the start and end of the
 * line, so that one style sheet suits both directions.
 */
const physicalClass =
  /(?<=[\s"'`:!])-?(?:(?:[mp][lr]|left|right|scroll-[mp][lr]|space-x|rounded-(?:[lr]|[tb][lr])|border-[lr])-[\w[(][^\s"'`]*|(?:text|float|clear)-(?:left|right)|border-[lr](?=[\s"'`]))/g;
const physicalDeclaration =
  /(?<=[\s;{])(?:(?:margin-|padding-|border-|scroll-margin-|scroll-padding-)?(?:left|right)(?:-(?:width|color|style))?\s*:[^;}]+|border-(?:top|bottom)-(?:left|right)-radius\s*:[^;}]+|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/g;
/** Four values with different left and right sides. */
const unevenValues = /(?<=[\s;{])(?:margin|padding|inset)\s*:([^;}]+)/g;

/** Declarations that mean a physical side even in right-to-left languages. */
const meant: Record<string, readonly string[]> = {
  // A double tap on the left seeks back, in the direction of the seek bar.
  "src/web/features/player/components/overlay/seek-flash.css": ["left: 0", "right: 0"],
  // Time runs from left to right.
  "src/web/features/player/components/controls/seek-bar.css": [
    "left: 0",
    "margin-left: -7px",
    "left: clamp(5rem, var(--at), 100% - 5rem)",
  ],
  "src/web/features/player/components/caption-overlay.css": ["margin-left: -1.5px"],
  // The player's controls aren't mirrored, and the menu opens above their right end.
  "src/web/features/player/components/controls/settings-menu.css": ["right: 0"],
  // A frame is scaled and moved from its top left corner.
  "src/ads/web/ad-slot.css": ["left: 0", "right: auto"],
  // Centered with `translate`.
  "src/web/features/admin/shared/admin.css": ["left: 50%"],
};

/** @returns one line for each class or declaration that names the left or the right. */
export function findPhysicalSides(root: string): string[] {
  return listStyledFiles(root).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = file.endsWith(".css") ? sidesOfSheet(text) : (text.match(physicalClass) ?? []);
    return found
      .filter((side) => meant[file]?.includes(side) !== true)
      .map((side) => `${file}: "${side}" names a side; name the start or the end of the line`);
  });
}

function sidesOfSheet(text: string): string[] {
  const css = text.replace(/\/\*[\s\S]*?\*\//g, "");
  const uneven = [...css.matchAll(unevenValues)].filter(([, values = ""]) => {
    const [, right, , left] = splitValues(values);
    return left !== undefined && left !== right;
  });
  return [...(css.match(physicalDeclaration) ?? []), ...uneven.map(([all]) => all)].map((side) =>
    side.replace(/\s+/g, " ").trim(),
  );
}

/** Splits values, where `calc(1rem + 2px)` is one value. */
const splitValues = (values: string): string[] =>
  values.trim().match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

function listStyledFiles(root: string): string[] {
  const folder = join(root, "src");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(css|tsx)$/.test(entry.name))
    .filter((entry) => !entry.name.endsWith(".test.tsx"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}
