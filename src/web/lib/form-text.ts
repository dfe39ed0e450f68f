/** Returns a text field of a form, or "" if it doesn't exist or is a file. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
