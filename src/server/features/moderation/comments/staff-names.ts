import { foldConfusables } from "#server/lib/fold-confusables.ts";

/** Beginnings of words for site staff, in the languages of the public pages. */
const staffWords = [
  ...["admin", "moderat", "moderad", "modérat", "админ", "модератор"],
  ...["管理者", "管理人", "モデレーター", "مشرف", "مدير"],
].map(foldConfusables);
/** Minimum length of a site name to search for in names. Shorter ones occur in too many names. */
const minContained = 4;

/** Returns whether a visitor's name contains a word for staff, or the name of the site. */
export function looksLikeStaff(name: string, siteName: string): boolean {
  const whole = foldConfusables(name);
  if (whole === "") return false;
  const words = [...name.split(/[\s\p{P}\p{S}]+/u).map(foldConfusables), whole];
  if (words.some((word) => staffWords.some((staffWord) => word.startsWith(staffWord)))) return true;
  const site = foldConfusables(siteName);
  return site.length >= minContained ? whole.includes(site) : whole === site;
}

/** Beginnings of words that promise more than a visitor can, such as "Verified" and "Support". */
const officialWords = [
  ...["support", "staff", "verif", "official", "offiziell", "oficial", "officiel", "oficjaln"],
  ...["customerservice", "kundendienst", "helpdesk", "wsparci", "soporte", "suporte", "assistance"],
  ...["поддержк", "официальн", "公式", "サポート", "دعم", "رسمي"],
].map(foldConfusables);
const address = /@[\p{L}\d-]+\.|:\/\/|\bwww\.|[\p{L}\d-]\.[a-z]{2,}(\/|$)/iu;

/**
 * Returns whether a name could be taken for the site's own, or is an address. Unlike staff words,
 * these occur in honest names, so a moderator decides.
 */
export function looksOfficial(name: string): boolean {
  const words = [...name.split(/[\s\p{P}\p{S}]+/u).map(foldConfusables), foldConfusables(name)];
  return (
    address.test(name) ||
    words.some((word) => officialWords.some((official) => word.startsWith(official)))
  );
}

/** Returns whether a visitor's name reads like one of these names. */
export function isNameOf(name: string, names: readonly string[]): boolean {
  const whole = foldConfusables(name);
  return whole !== "" && names.some((each) => foldConfusables(each) === whole);
}
