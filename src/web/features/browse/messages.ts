import type { LabelKind } from "#contract/lists/labels.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

interface KindMessages {
  title: string;
  intro: string;
  /** Returns the singular, as in "Videos in the category X". */
  introOf: (name: string) => string;
  empty: string;
  unknownTitle: string;
}

export const browseMessages = inLanguage("browse", {
  categories: {
    title: "Categories",
    intro: "Browse videos by topic.",
    introOf: (name) => `Videos in the category ${name}.`,
    empty: "No categories yet",
    unknownTitle: "Category not found",
  },
  tags: {
    title: "Tags",
    intro: "Browse videos by keyword.",
    introOf: (name) => `Videos tagged ${name}.`,
    empty: "No tags yet",
    unknownTitle: "Tag not found",
  },
  actors: {
    title: "Actors",
    intro: "Browse videos by the people in them.",
    introOf: (name) => `Videos with ${name}.`,
    empty: "No actors yet",
    unknownTitle: "Actor not found",
  },
} satisfies Record<LabelKind, KindMessages>);

export const browseTexts = inLanguage("browseParts", {
  failed: "Couldn't load the list.",
  tryAgain: "Try Again",
  follow: "Follow",
  following: "Following",
});
