/** Runs a compiled inline script with replacements for the globals that it uses. */
export function runScript(text: string, globals: Record<string, unknown>): void {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call
  new Function(...Object.keys(globals), text)(...Object.values(globals));
}

/** Root element that records its attributes. */
export function createRoot() {
  const attributes = new Map<string, string>();
  return {
    attributes,
    dataset: {} as Record<string, string>,
    setAttribute: (name: string, value: string) => void attributes.set(name, value),
    removeAttribute: (name: string) => void attributes.delete(name),
  };
}
