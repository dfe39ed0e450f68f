import type { Suggestion } from "#contract/lists/search.ts";

const bases: Record<Suggestion["kind"], string> = {
  title: "/video",
  tag: "/tags",
  actor: "/actors",
  category: "/categories",
};

export function suggestionHref(suggestion: Pick<Suggestion, "kind" | "slug">): string {
  return `${bases[suggestion.kind]}/${encodeURIComponent(suggestion.slug)}`;
}
