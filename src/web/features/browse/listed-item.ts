import type { LabelItem } from "#contract/lists/labels.ts";

/** Fields of the list; descriptions can be long and are left out where they are not shown. */
export interface ListedItem {
  name: string;
  slug: string;
  description: string | null;
  /** Its own image, or the cover from a video. */
  picture: string | null;
  videoCount: number;
}

export function toListed(item: LabelItem): ListedItem {
  const { name, slug, imageUrl, coverUrl, videoCount } = item;
  const picture = imageUrl ?? coverUrl;
  const description = item.description === null ? null : item.description.slice(0, 160);
  return { name, slug, description, picture, videoCount };
}
