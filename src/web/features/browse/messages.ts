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
    intro: "Find videos by what they are about.",
    introOf: (name) => `Videos in the category ${name}.`,
    empty: "No categories yet",
    unknownTitle: "Category not found",
  },
  tags: {
    title: "Tags",
    intro: "Find videos by a word that fits them.",
    introOf: (name) => `Videos tagged ${name}.`,
    empty: "No tags yet",
    unknownTitle: "Tag not found",
  },
  actors: {
    title: "Actors",
    intro: "Find videos by who is in them.",
    introOf: (name) => `Videos with ${name}.`,
    empty: "No actors yet",
    unknownTitle: "Actor not found",
  },
} satisfies Record<LabelKind, KindMessages>);

export const browseTexts = inLanguage("browseParts", {
  failed: "The list could not be loaded.",
  tryAgain: "Try Again",
  follow: "Follow",
  following: "Following",
});
