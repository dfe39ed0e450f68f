import { useState } from "react";
import { ApiError } from "#web/lib/api/http.ts";

type FieldName<Form> = keyof Form & string;

/** Field that two users changed in different ways. */
interface FieldClash<Name extends string = string> {
  name: Name;
  label: string;
  mine: string;
  theirs: string;
}

/** Compares and merges versions of a form. */
interface FormMerge<Form> {
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

/** Form for an item that others may edit at the same time. */
export interface EditedForm<Item, Form> {
  /** Item as last loaded. */
  base: Item;
  form: Form;
  isDirty: boolean;
  set(change: Partial<Form>): void;
  /** Conflicting fields to resolve before saving. */
  clashes: readonly FieldClash[];
  keepMine(clash: FieldClash): void;
  takeTheirs(clash: FieldClash): void;
  /**
   * Merges the currently stored values.
   * @param mine the typed values. They are preserved.
   */
  rebase(stored: Item, mine?: Form): void;
  /**
   * Saves the form. If another user saved first, merges their changes in. The user resolves fields
   * that both changed.
   * @returns whether the form was saved.
   */
  save(): Promise<boolean>;
}

export function useEditedForm<Item, Form extends object>(options: {
  item: Item;
  formOf: (item: Item) => Form;
  merge: FormMerge<Form>;
  /**
   * Resolves with undefined if the user must check the form, because a merge may break rules
   * between fields.
   * @throws ApiError 409 `edit_conflict` if another user has saved since `base` was loaded.
   */
  save: (base: Item, form: Form) => Promise<Item | undefined>;
  load: () => Promise<Item>;
}): EditedForm<Item, Form> {
  const { formOf, merge } = options;
  const [base, setBase] = useState(options.item);
  const [form, setForm] = useState(() => formOf(options.item));
  const [clashes, setClashes] = useState<readonly FieldClash<keyof Form & string>[]>([]);
  const settle = ({ name }: FieldClash) =>
    setClashes((current) => current.filter((clash) => clash.name !== name));
  const take = (stored: Item, merged: ReturnType<typeof merge.merge>) => {
    setBase(stored);
    setForm(merged.form);
    setClashes(merged.clashes);
  };

  async function save(): Promise<boolean> {
    let [at, filled] = [base, form];
    for (;;) {
      try {
        const sent = filled;
        const saved = await options.save(at, sent);
        if (saved === undefined) return false;
        setBase(saved);
        // Input typed during the request is preserved.
        setForm((now) => merge.merge(sent, now, formOf(saved)).form);
        return true;
      } catch (error) {
        const isConflict = error instanceof ApiError && error.code === "edit_conflict";
        if (!isConflict) throw error;
      }
      const theirs = await options.load();
      const merged = merge.merge(formOf(at), filled, formOf(theirs));
      take(theirs, merged);
      if (merged.clashes.length > 0) return false;
      [at, filled] = [theirs, merged.form];
    }
  }

  return {
    base,
    form,
    isDirty: !merge.isSame(form, formOf(base)),
    set: (change) => setForm((current) => ({ ...current, ...change })),
    clashes,
    keepMine: settle,
    takeTheirs: (clash) => {
      const field = clashes.find(({ name }) => name === clash.name);
      if (field === undefined) return;
      setForm((current) => merge.withField(current, field.name, formOf(base)));
      settle(clash);
    },
    rebase: (stored, mine = form) => take(stored, merge.merge(formOf(base), mine, formOf(stored))),
    save,
  };
}
