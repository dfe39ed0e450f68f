import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Word that docs/glossary.md replaces, and what to write instead. */
interface Word {
  pattern: RegExp;
  instead: string;
  /** Files in which the word has a different, correct meaning. */
  except?: RegExp;
}

const words: readonly Word[] = [
  { pattern: /\bfilms?\b|[a-z]Films?\b|\bfilms?[A-Z]/, instead: "video" },
  { pattern: /\banew\b/i, instead: "again, refresh" },
  { pattern: /\bstandings?\b|[a-z]Standings?\b|\bstandings?[A-Z]|\bStandings?\b/, instead: "rank" },
  { pattern: /\bworkshops?\b/i, instead: "work directory" },
  { pattern: /\bjourneys?\b/i, instead: "end-to-end test" },
  {
    pattern: /\bhouse\b/i,
    instead: "layer, folder",
    // "House ad" and "house campaign" are the usual terms for those of the site itself.
    except: /(^|[/_])(demo-)?(ads?|campaigns?)[-./]/,
  },
  { pattern: /\brooms?\b/i, instead: "folder, reserved space" },
  { pattern: /\banswers?\b|\banswer[A-Z]|[a-z]Answers?\b|\bAnswers?[A-Z]/i, instead: "response" },
  { pattern: /\b(most|least)(?!Viewed)[A-Z][a-z]/, instead: "max..., min..." },
  { pattern: /\blate type\b/i, instead: "web font" },
  { pattern: /\bchange feed\b|\bchangeFeed/i, instead: "change events" },
  {
    pattern: /\b(contract|design|spec)\.md\b|\((contract|design|spec) \d/,
    instead: "the fact itself, or a page of docs/",
  },
  { pattern: /\bstills\b/i, instead: "poster, thumbnail, images" },
];

/** Files that contain these words on purpose, or whose text isn't ours. */
const excluded =
  /^(docs\/glossary\.md|src\/texts\/(?!en\b)[a-z]{2}\.json|LICENSE|THIRD_PARTY_NOTICES|demo\/clips\/.*|demo\/seed-words\.ts|.*package-lock\.json|setup\/checks\/words(\.test)?\.ts)$/;
const checked = /\.(ts|tsx|mts|mjs|css|md|json)$/;

/** Returns the words of a file that the glossary replaces, as `file:line: "word": write ...`. */
export function findForbiddenWords(file: string, text: string): string[] {
  if (excluded.test(file) || !checked.test(file)) return [];
  return text.split("\n").flatMap((line, index) =>
    words.flatMap(({ pattern, instead, except }) => {
      const found = except?.test(file) === true ? null : pattern.exec(line);
      return found === null ? [] : [`${file}:${index + 1}: "${found[0]}": write ${instead}`];
    }),
  );
}

/** Checks all files of the repository, or those below `paths`. */
export function findForbiddenWordsIn(root: string, paths: readonly string[]): string[] {
  const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...paths], {
    cwd: root,
    encoding: "utf8",
  });
  return list
    .split("\n")
    .filter((file) => checked.test(file))
    .flatMap((file) => findForbiddenWords(file, readTracked(join(root, file))));
}

/** Reads a file. Returns an empty string if git still lists the file but it was deleted. */
function readTracked(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

if (import.meta.main) {
  const found = findForbiddenWordsIn(process.cwd(), process.argv.slice(2));
  for (const line of found) console.log(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
