import { shorten } from "#contract/text.ts";
import type { LabelItem } from "#contract/lists/labels.ts";

/** Fields of a listed item. Descriptions can be long and are left out if they aren't shown. */
export interface ListedItem {
  name: string;
  slug: string;
  description: string | null;
  /** Image of the item, or a cover taken from a video. */
  picture: string | null;
  videoCount: number;
}

export function toListed(item: LabelItem): ListedItem {
  const { name, slug, imageUrl, coverUrl, videoCount } = item;
  const picture = imageUrl ?? coverUrl;
  const description = item.description === null ? null : shorten(item.description, 160);
  return { name, slug, description, picture, videoCount };
}
