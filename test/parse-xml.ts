import { expect } from "vitest";
import { DOMParser } from "@xmldom/xmldom";

/** Parses XML. Fails for XML that isn't well-formed. */
export function parseXml(text: string): Document {
  const problems: string[] = [];
  const parser = new DOMParser({
    errorHandler: (_level, message) => problems.push(String(message)),
  });
  const document = parser.parseFromString(text, "text/xml");
  expect(problems).toEqual([]);
  return document;
}
