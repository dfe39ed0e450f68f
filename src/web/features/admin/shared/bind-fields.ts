/** Names of the fields whose values have this type. */
export type NamesOf<Form, Value> = {
  [Name in keyof Form]: Form[Name] extends Value ? Name : never;
}[keyof Form] &
  string;

/** Functions that return the props of a field, with its value from a form. */
export interface BoundFields<Form> {
  text(name: NamesOf<Form, string>): {
    value: string;
    error: string | null;
    onChange: (event: { target: { value: string } }) => void;
  };
  toggle(name: NamesOf<Form, boolean>): {
    checked: boolean;
    onChange: (event: { target: { checked: boolean } }) => void;
  };
}

export function bindFields<Form extends object>(
  form: Form,
  set: (change: Partial<Form>) => void,
  errorOf: (name: string) => string | null = () => null,
): BoundFields<Form> {
  const change = (name: string, value: unknown) => set({ [name]: value } as Partial<Form>);
  return {
    text: (name) => ({
      value: String(form[name]),
      error: errorOf(name),
      onChange: ({ target }) => change(name, target.value),
    }),
    toggle: (name) => ({
      checked: form[name] === true,
      onChange: ({ target }) => change(name, target.checked),
    }),
  };
}

/**
 * Returns the fields of a form that differ from `before`. A request with only these keeps what
 * someone else has saved in the others.
 */
export function changedFields<Form extends object>(form: Form, before: Form): Partial<Form> {
  const values = new Map<string, unknown>(Object.entries(before));
  // Lists are compared by their contents.
  const changed = Object.entries(form).filter(
    ([name, value]) => JSON.stringify(values.get(name)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Form>;
}
