import { countOf } from "#web/lib/format/english-counts.ts";
import type { LabelKind } from "#contract/lists/labels.ts";

/** Returns the texts of the page that manages categories, tags or actors. */
export function labelMessages(kind: LabelKind) {
  const one = { categories: "category", tags: "tag", actors: "actor" }[kind];
  const many = { categories: "categories", tags: "tags", actors: "actors" }[kind];
  const One = one.charAt(0).toUpperCase() + one.slice(1);
  const Many = many.charAt(0).toUpperCase() + many.slice(1);
  return {
    one,
    One,
    Many,
    title: `Manage ${Many}`,
    total: (count: number) => `Total: ${count.toLocaleString()} ${count === 1 ? one : many}`,
    add: `Add ${One}`,
    edit: `Edit ${One}`,
    create: "Create",
    creating: "Creating...",
    update: "Update",
    updating: "Updating...",
    searchPlaceholder: `Search ${many}...`,
    empty: `No ${many} found.`,
    emptyFirst: `Create your first ${one}!`,
    emptySearch: "Try adjusting your search.",
    noDescription: "No description",
    videos: (count: number) => countOf(count, "video"),
    askDelete: `Are you sure you want to delete this ${one}?`,
    createFailed: `Failed to create ${one}`,
    updateFailed: `Failed to update ${one}`,
    deleteFailed: `Failed to delete ${one}`,
    loadFailed: `Failed to load ${many}`,
    seriesHint: `The videos of this ${one} have an order that you choose, and play one after another`,
    merge: `Merge ${One}`,
    merging: "Merging...",
    mergeHint: (name: string) =>
      `Videos in "${name}" move to the ${one} you choose. "${name}" is deleted and its URL redirects.`,
    mergeInto: "Merge into",
    mergeFailed: `Failed to merge ${one}`,
    merged: `${One} merged`,
    podcast: "Feed is a podcast",
    podcastHint: `The RSS feed of this ${one} gets sound, chapters and transcripts for podcast apps. A file with the sound is made for each video, about 1 MB a minute`,
    picture: "Image",
    choosePicture: "Choose image",
    removePicture: "Remove image",
    pictureFailed: "Failed to change the image",
  } as const;
}

export type LabelMessages = ReturnType<typeof labelMessages>;
