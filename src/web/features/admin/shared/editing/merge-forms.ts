type FieldName<Form> = keyof Form & string;

/** Field that two users changed in different ways. */
export interface FieldClash<Name extends string = string> {
  name: Name;
  label: string;
  mine: string;
  theirs: string;
}

/** Compares and merges versions of a form. */
export interface FormMerge<Form> {
  isSame(a: Form, b: Form): boolean;
  /**
   * Merges two versions of `base` field by field. A field that only one of them changed gets the
   * changed value. Fields in `clashes` get my value.
   */
  merge(
    base: Form,
    mine: Form,
    theirs: Form,
  ): { form: Form; clashes: FieldClash<FieldName<Form>>[] };
  /** Returns the form with one field taken from another form. */
  withField(form: Form, name: FieldName<Form>, from: Form): Form;
}

/** Formats a value for comparison and display. */
function plainText(value: unknown): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return Array.isArray(value) ? value.join(", ") : String(value).trim();
}

/**
 * @param labels labels of all fields.
 * @param textOf formats the values of some fields for comparison and display.
 */
export function createFormMerge<Form extends object>(
  labels: Record<FieldName<Form>, string>,
  textOf: Partial<Record<FieldName<Form>, (form: Form) => string>> = {},
): FormMerge<Form> {
  const names = Object.keys(labels).filter((name): name is FieldName<Form> =>
    Object.hasOwn(labels, name),
  );
  const text = (name: FieldName<Form>, form: Form) => textOf[name]?.(form) ?? plainText(form[name]);
  const isSameField = (name: FieldName<Form>, a: Form, b: Form) => text(name, a) === text(name, b);
  const withField = (form: Form, name: FieldName<Form>, from: Form): Form => ({
    ...form,
    [name]: from[name],
  });
  return {
    isSame: (a, b) => names.every((name) => isSameField(name, a, b)),
    withField,
    merge(base, mine, theirs) {
      const untouched = names.filter((name) => isSameField(name, base, mine));
      const form = untouched.reduce((merged, name) => withField(merged, name, theirs), mine);
      const clashes = names
        .filter((name) => !isSameField(name, form, theirs) && !isSameField(name, base, theirs))
        .map((name) => ({
          name,
          label: labels[name],
          mine: text(name, mine),
          theirs: text(name, theirs),
        }));
      return { form, clashes };
    },
  };
}
