import { expect, it } from "vitest";
import { helpOf, readArguments, usageOf, type CommandSyntax } from "./command-line.mjs";

const syntax: CommandSyntax = {
  name: "npm run admin -- backup",
  summary: "Writes a backup.",
  args: ["FILE"],
  options: { role: { value: "ROLE", help: "a role" }, quick: { help: "no media" } },
  examples: ["npm run admin -- backup a.tar"],
};
const read = (args: string[], env = {}) => readArguments(syntax, args, env);

it("returns arguments, switches and values", () => {
  expect(read(["a.tar", "--quick", "--role=ADMIN"])).toEqual({
    args: ["a.tar"],
    flags: new Set(["quick"]),
    values: { role: "ADMIN" },
  });
});

it.each([["--help"], ["-h"], ["a.tar", "b.tar", "--help"]])("returns null for %j", (...args) => {
  expect(read(args)).toBeNull();
});

it.each([
  [["--halp"], "Unknown option '--halp'. See npm run admin -- backup --help."],
  [["a.tar", "-x"], "Unknown option '-x'. See npm run admin -- backup --help."],
  [["a.tar", "--role"], "Option '--role <value>' argument missing."],
  [["a.tar", "--role="], "The option --role has no value."],
  [["a.tar", "--role", "--quick"], "Option '--role' argument is ambiguous."],
  [["a.tar", "--quick=1"], "Option '--quick' does not take an argument."],
  [["a.tar", "--quick", "--quick"], "Repeated option --quick."],
  [["a.tar", "b.tar"], 'Unexpected argument "b.tar".'],
  [[], "Missing argument FILE."],
  [[""], "The argument FILE is empty."],
  [["--", "--help"], '"--help" looks like an option. Write a file as "./--help".'],
  [["-"], '"-" looks like an option.'],
])("refuses %j in one line", (args, message) => {
  expect(() => read(args)).toThrow(message);
  expect(() => read(args)).toThrow(/^[^\n]*$/);
});

it("refuses an option that npm took for its own", () => {
  const env = { npm_config_quick: "true" };
  expect(() => read(["a.tar"], env)).toThrow(
    "npm took --quick for an option of its own. Type npm run admin -- backup before the options.",
  );
  expect(read(["a.tar", "--quick"], env)?.flags.has("quick")).toBe(true);
});

it("accepts any number of arguments if the last name ends with dots", () => {
  const open = { ...syntax, args: ["A", "B..."] };
  expect(readArguments(open, ["1"], {})?.args).toEqual(["1"]);
  expect(readArguments(open, ["1", "2", "3"], {})?.args).toEqual(["1", "2", "3"]);
  expect(() => readArguments(open, [], {})).toThrow("Missing argument A.");
});

it("explains options and gives an example", () => {
  expect(usageOf({ ...syntax, name: "npm start", args: [] })).toBe(
    "npm start -- [--role ROLE] [--quick]",
  );
  const options = { role: { value: "ROLE", required: true, help: "a role" } } as const;
  expect(usageOf({ ...syntax, options })).toBe("npm run admin -- backup FILE --role ROLE");
  expect(helpOf(syntax)).toBe(`Writes a backup.

Usage:
  npm run admin -- backup FILE [--role ROLE] [--quick]

Options:
  --role ROLE  a role
  --quick      no media

Example:
  npm run admin -- backup a.tar`);
});
