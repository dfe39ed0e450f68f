import { parseArgs } from "node:util";

/** Error for invalid arguments, in one line. Programs then end with exit code 2. */
export class UsageError extends Error {}

/**
 * Reads the arguments of a command. Refuses unknown and repeated options, surplus and missing
 * arguments, and arguments that look like options. This file is JavaScript because programs also
 * use it before packages and the right Node.js are installed.
 * @param {import("./command-line.mjs").CommandSyntax} syntax
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {import("./command-line.mjs").Given | null} null if the user asks for help.
 */
export function readArguments(syntax, args, env = process.env) {
  const { name, args: names = [], options = {} } = syntax;
  const refuse = (problem) => new UsageError(`${problem}. See ${withSeparator(name)} --help.`);
  if (asksForHelp(args)) return null;
  const { values, positionals, tokens } = parse();

  const seen = new Set();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (seen.has(token.name)) throw refuse(`Repeated option --${token.name}`);
    seen.add(token.name);
    if (token.value === "") throw refuse(`The option --${token.name} has no value`);
  }
  // npm takes options before "--" for its own and passes them on as variables.
  const swallowed = Object.keys(options).find(
    (option) => !seen.has(option) && env[`npm_config_${option.replaceAll("-", "_")}`] !== undefined,
  );
  if (swallowed !== undefined) {
    throw new UsageError(
      `npm took --${swallowed} for an option of its own. Type ${withSeparator(name)} before the options.`,
    );
  }
  const isOpen = names.at(-1)?.endsWith("...") === true;
  const needed = isOpen ? names.length - 1 : names.length;
  const surplus = isOpen ? undefined : positionals[names.length];
  if (surplus !== undefined) throw refuse(`Unexpected argument "${surplus}"`);
  if (positionals.length < needed) throw refuse(`Missing argument ${names[positionals.length]}`);
  const empty = positionals.indexOf("");
  if (empty >= 0) throw refuse(`The argument ${names[empty] ?? names.at(-1)} is empty`);
  const optionLike = positionals.find((text) => text.startsWith("-"));
  if (optionLike !== undefined) {
    throw refuse(`"${optionLike}" looks like an option. Write a file as "./${optionLike}"`);
  }
  const entries = Object.entries(values);
  return {
    args: positionals,
    flags: new Set(entries.flatMap(([option, value]) => (value === true ? [option] : []))),
    values: Object.fromEntries(entries.filter(([, value]) => typeof value === "string")),
  };

  function parse() {
    const types = Object.entries(options).map(([option, { value }]) => [
      option,
      { type: value === undefined ? "boolean" : "string" },
    ]);
    try {
      return parseArgs({
        args: [...args],
        options: Object.fromEntries(types),
        allowPositionals: true,
        strict: true,
        tokens: true,
      });
    } catch (error) {
      if (!String(error.code).startsWith("ERR_PARSE_ARGS")) throw error;
      // The rest of the message advises "--", after which arguments that look like options are
      // refused here.
      throw refuse(error.message.split(/\.\s|\n/)[0].replace(/\.$/, ""));
    }
  }
}

/**
 * Reads the arguments of this process. Ends it after printing the help, or with exit code 2 after
 * one line about invalid arguments.
 */
export function readProcessArguments(syntax, args = process.argv.slice(2)) {
  try {
    const given = readArguments(syntax, args);
    if (given !== null) return given;
    process.stdout.write(`${helpOf(syntax)}\n`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** Returns whether the arguments contain `--help` or `-h`, except after `--`. */
export function asksForHelp(args) {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === "--help" || arg === "-h");
}

/** Returns the command as it is typed, with its arguments and options. */
export function usageOf({ name, args = [], options = {} }) {
  const shown = Object.entries(options).map(([option, { value, required }]) => {
    const text = value === undefined ? `--${option}` : `--${option} ${value}`;
    return required === true ? text : `[${text}]`;
  });
  const rest = [...args.map((arg) => (arg.endsWith("...") ? `[${arg}]` : arg)), ...shown];
  return rest.length === 0 ? name : [withSeparator(name), ...rest].join(" ");
}

/** npm passes on only what follows "--". */
const withSeparator = (name) =>
  name.includes(" -- ") || !name.startsWith("npm ") ? name : `${name} --`;

/** Returns the text of `--help`. */
export function helpOf(syntax) {
  const { summary, options = {}, examples, notes = [] } = syntax;
  const rows = Object.entries(options).map(([option, { value, help }]) => [
    value === undefined ? `--${option}` : `--${option} ${value}`,
    help,
  ]);
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  const list = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`);
  return [
    summary,
    `Usage:\n  ${usageOf(syntax)}`,
    ...(list.length === 0 ? [] : [`Options:\n${list.join("\n")}`]),
    `${examples.length === 1 ? "Example" : "Examples"}:\n${examples.map((line) => `  ${line}`).join("\n")}`,
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
  ].join("\n\n");
}
