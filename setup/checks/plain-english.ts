import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Grammar habit that reads like a translation. */
interface Pattern {
  name: string;
  pattern: RegExp;
  /** Matches within the line that are good English. */
  except?: RegExp;
}

const opening = String.raw`(?:^|\s)(?:/\*\*?|//) ?`;
const things = "(?:byte|file|message|page|row|list|name|path|text|table|word|line)s?";

export const patterns: readonly Pattern[] = [
  {
    name: "is no NOUN",
    pattern: /\b(?:is|are|was|were) no [a-z]+/,
    except: /\b[Tt]here (?:is|are|was|were) no |\bno (?:longer|more|less|fewer|better|worse)\b/,
  },
  {
    name: "clause as a subject",
    pattern: new RegExp(`${opening}(?:What|Who|Whose|Whom|Where|Whence) `),
  },
  { name: "genitive in front", pattern: new RegExp(`${opening}Of `) },
  {
    name: "of before",
    pattern:
      /\bof before\b(?!\.videos)|\bso (?:many|much) (?:\w+ )?(?:now|so far|as)\b|\bas (?:many|much) as (?:so far|before|there|ever)\b/,
  },
  {
    name: "things that speak",
    pattern: new RegExp(
      String.raw`\b${things} (?:tells?|knows?|wants?|asks?|says?|stands?)\b(?! to)|\b(?:is|are) told (?:by|from)\b|\b[a-z]+ stands? (?:in|at|there)\b`,
    ),
  },
  {
    name: "agentless passive",
    pattern: /\bcould not be [a-z]+|\bcannot be (?:kept|had|told|said)\b|\bwas not (?:made|kept)\b/,
  },
  {
    name: "contorted name",
    pattern:
      /\b(?:mayBe[A-Z]\w*|is(?:This|That|The)One\w*|whyN\w+|is(?:Une|E)ven(?!t)\w*|(?:leave|rest|way|why|what|who|about|faultless)\w*Of)\b/,
  },
];

/** Files that quote the patterns, translations and released migrations. */
const allowed =
  /^(?:docs\/glossary\.md|src\/server\/db\/migrations\/|src\/texts\/(?!en\b)[a-z]{2}\.json|test\/fuzz\/odd-values\.ts)/;
const checked = /\.(?:ts|tsx|mjs|md)$|^src\/texts\/en\.json$/;
/** Number of matches that the check accepts, because some are good English in their context. */
const maxMatches = 40;

/** Returns each match as `file:line: pattern: "text"`. */
export function findOddSentences(file: string, text: string): string[] {
  if (allowed.test(file) || !checked.test(file)) return [];
  return text.split("\n").flatMap((line, index) =>
    patterns.flatMap(({ name, pattern, except }) => {
      const found = pattern.exec(line);
      if (found === null || except?.test(line) === true) return [];
      return [`${file}:${index + 1}: ${name}: "${found[0].trim()}"`];
    }),
  );
}

if (import.meta.main) {
  const folders = process.argv.length > 2 ? process.argv.slice(2) : ["src", "docs", "test", "e2e"];
  const files = execFileSync("git", ["ls-files", "--", ...folders], { encoding: "utf8" });
  const found = files
    .trim()
    .split("\n")
    .flatMap((file) => findOddSentences(file, readFileSync(file, "utf8")));
  for (const line of found) console.log(line);
  process.exitCode = found.length > maxMatches ? 1 : 0;
}
