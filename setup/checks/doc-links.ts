import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/**
 * Checks that relative links in Markdown files lead to a page, or an image, and to a heading in it.
 * `npm run docs` can't link to other files.
 */
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(file));

/** Returns the anchor of a heading, as GitHub and VitePress make it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (file: string): string[] =>
  Array.from(readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    anchorOf(heading),
  );

const broken = files.flatMap((file) =>
  Array.from(readFileSync(file, "utf8").matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : normalize(join(dirname(file), path));
      if (!existsSync(target) || !/(\.(md|jpg|png|svg)|^LICENSE)$/.test(target)) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    })
    .map((link) => `${file}: broken link ${link}`),
);

for (const line of broken) console.log(line);
if (broken.length > 0) process.exitCode = 1;
