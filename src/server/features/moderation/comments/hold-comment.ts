import type { CommentBody } from "#contract/visitors/comments.ts";

/**
 * Matches addresses with a scheme, with www., or with a well-known ending. Limits the length of a
 * scheme, because every letter of a comment could start one.
 */
const links =
  /[a-z][a-z\d+.-]{0,30}:\/\/|\bwww\.|\b[\p{L}\d-]+\.(?:com|net|org|info|biz|io|me|tv|cc|co|ru|cn|xyz|top|site|shop|online|link|click|live)\b/giu;

/**
 * Normalises a text for comparison: unifies similar letters and removes case and invisible
 * characters.
 */
const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase();

const withoutSchemes = (text: string): string =>
  text.replace(/(?:[a-z][a-z\d+.-]{0,30}:\/\/)+(?:www\.)?\S*/giu, "://");

/**
 * Returns whether a comment must wait for a moderator because it has a listed word or too many
 * links.
 */
export function mustBeHeld(
  { name, text }: CommentBody,
  rules: { words: readonly string[]; maxLinks: number },
): boolean {
  const all = fold(`${name}\n${text}`);
  if (rules.words.some((word) => all.includes(fold(word)))) return true;
  return (withoutSchemes(all).match(links)?.length ?? 0) > rules.maxLinks;
}
