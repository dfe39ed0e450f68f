import { labelKinds, type LabelKind } from "./labels.ts";

/** Label as addresses name it. */
interface LabelAddress {
  kind: LabelKind;
  slug: string;
}

/** Matches the path of a label's page, also at the end of a URL in any language. */
const labelPath = new RegExp(`(?:^|/)(${labelKinds.join("|")})/([^/?#]+)/?(?:[?#].*)?$`);

/** Reads a label from the path or URL of its page, such as `tags/holidays`. Null for other texts. */
export function labelOfPath(text: string): LabelAddress | null {
  const [, name, slug = ""] = labelPath.exec(text.trim()) ?? [];
  const kind = labelKinds.find((each) => each === name);
  if (kind === undefined) return null;
  try {
    return { kind, slug: decodeURIComponent(slug).toLowerCase() };
  } catch {
    return null;
  }
}

/**
 * Value of the query parameter `in` of a video page: the series that the visitor came from, such as
 * `tags.holidays`.
 */
export const seriesKey = ({ kind, slug }: LabelAddress): string => `${kind}.${slug}`;
