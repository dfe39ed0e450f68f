/** Arguments and options of one command, and the text of its help. */
export interface CommandSyntax {
  /** The command as it is typed, such as `npm run admin -- backup`. */
  name: string;
  /** What it does, in one sentence. */
  summary: string;
  /** Names of its arguments. The last may end with `...` for any number, including none. */
  args?: readonly string[];
  /**
   * Options by name. Those without `value` are switches. The help shows `required` ones without
   * brackets. The command itself refuses to run without them, to name the values that it accepts.
   */
  options?: Readonly<Record<string, { value?: string; required?: true; help: string }>>;
  examples: readonly string[];
  /** Further lines of the help. */
  notes?: readonly string[];
}

/** Arguments that a user gave. */
export interface Given {
  args: readonly string[];
  /** Names of the given switches. */
  flags: ReadonlySet<string>;
  values: Readonly<Partial<Record<string, string>>>;
}

export declare class UsageError extends Error {}
export declare function readArguments(
  syntax: CommandSyntax,
  args: readonly string[],
  env?: Readonly<Record<string, string | undefined>>,
): Given | null;
export declare function readProcessArguments(
  syntax: CommandSyntax,
  args?: readonly string[],
): Given;
export declare function asksForHelp(args: readonly string[]): boolean;
export declare function usageOf(syntax: CommandSyntax): string;
export declare function helpOf(syntax: CommandSyntax): string;
