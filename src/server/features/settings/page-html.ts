import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Language } from "#contract/site/languages.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";

const syntax = [
  gfm({ singleTilde: false }),
  // A check box would need a label.
  { disable: { null: ["tasklistCheck"] } },
];

/**
 * Returns an operator's Markdown as safe HTML. Raw HTML becomes text, and dangerous addresses are
 * dropped.
 */
export function pageHtml(markdown: string, language: Language): string {
  const { footnotes: label, backToText: backLabel } = visitorTexts(language).pages;
  return micromark(markdown, {
    extensions: syntax,
    htmlExtensions: [gfmHtml({ label, backLabel })],
  });
}
