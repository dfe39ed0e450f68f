import { OperatorError } from "../app-error.ts";
import type { Rule } from "./env-rules.ts";

/**
 * Invalid variable. The message is one line with its name, the given value and the accepted values.
 */
export class ConfigError extends OperatorError {}

/**
 * Reads a variable. Returns null if it is unset or empty.
 * @throws ConfigError if the rule rejects the text.
 */
export type ReadVariable = <T>(name: string, rule: Rule<T>) => T | null;

export function createEnvReader(env: Record<string, string | undefined>): ReadVariable {
  return (name, rule) => {
    const text = env[name]?.trim() ?? "";
    if (text === "") return null;
    const value = rule.read(text);
    if (value === undefined) {
      const given = rule.secret === true ? "the value" : `"${text}"`;
      throw new ConfigError(`${name}: ${given} isn't valid. Use ${rule.accepts}.`);
    }
    return value;
  };
}

/**
 * Reads two variables that only make sense together. Returns null if both are unset.
 * @throws ConfigError if only one is set.
 */
export function readPair(
  get: ReadVariable,
  first: readonly [name: string, rule: Rule<string>],
  second: readonly [name: string, rule: Rule<string>],
): [string, string] | null {
  const [one, other] = [get(...first), get(...second)];
  if (one === null && other === null) return null;
  if (one !== null && other !== null) return [one, other];
  const [missing] = one === null ? first : second;
  throw new ConfigError(
    `${missing}: not set. ${first[0]} and ${second[0]} only work together. Set both or neither.`,
  );
}
