import { OperatorError } from "../operator-error.ts";
import type { Rule } from "./env-rules.ts";

/** A wrong variable: one line that names it, what was given and what is accepted. */
export class ConfigError extends OperatorError {}

/**
 * Reads one variable; null where it is unset or empty.
 * @throws ConfigError for a text that the rule does not accept.
 */
export type ReadVariable = <T>(name: string, rule: Rule<T>) => T | null;

export function createEnvReader(env: Record<string, string | undefined>): ReadVariable {
  return (name, rule) => {
    const text = env[name]?.trim() ?? "";
    if (text === "") return null;
    const value = rule.read(text);
    if (value === undefined) {
      const given = rule.secret === true ? "what was given" : `"${text}"`;
      throw new ConfigError(`${name}: ${given} is not accepted; give ${rule.accepts}.`);
    }
    return value;
  };
}

/**
 * Two variables that mean something together only; null where both are unset.
 * @throws ConfigError if one of them is missing.
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
    `${missing}: nothing was given; ${first[0]} and ${second[0]} go together, give both or neither.`,
  );
}
