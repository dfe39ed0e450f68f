import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

// React checks this name before it lets `act` flush effects.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** Rendered component. Its test must begin with `// @vitest-environment happy-dom`. */
export interface Rendered {
  container: HTMLElement;
  /**
   * Returns the only element with this role and accessible name. Fails unless there is exactly one.
   */
  get(role: string, name?: string | RegExp): HTMLElement;
  find(role: string, name?: string | RegExp): HTMLElement | null;
  rerender(node: ReactNode): Promise<void>;
}

const implicitRoles: Record<string, string> = {
  button: "button",
  link: "a[href]",
  slider: "input[type=range]",
  textbox: "input:not([type]), input[type=text], input[type=search], textarea",
  checkbox: "input[type=checkbox]",
  combobox: "select",
  dialog: "dialog",
  heading: "h1, h2, h3, h4",
  img: "img",
};

function nameOf(element: Element): string {
  const labelledBy = element.getAttribute("aria-labelledby");
  const label = labelledBy === null ? null : document.getElementById(labelledBy);
  const own = element.getAttribute("aria-label") ?? label?.textContent;
  if (own != null) return own.trim();
  const field = element.id === "" ? null : document.querySelector(`label[for="${element.id}"]`);
  return (field ?? element.closest("label") ?? element).textContent.trim();
}

function listByRole(container: Element, role: string, name?: string | RegExp): HTMLElement[] {
  const implicit = implicitRoles[role];
  const selector = [`[role="${role}"]`, ...(implicit === undefined ? [] : [implicit])].join(", ");
  return [...container.querySelectorAll<HTMLElement>(selector)].filter((element) => {
    if ((element.getAttribute("role") ?? role) !== role || element.closest("[hidden]"))
      return false;
    if (name === undefined) return true;
    return typeof name === "string" ? nameOf(element) === name : name.test(nameOf(element));
  });
}

/** Renders `node` and flushes its effects. It is unmounted after the test. */
export async function render(node: ReactNode): Promise<Rendered> {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  onTestFinished(async () => {
    await act(async () => root.unmount());
    document.body.replaceChildren();
  });
  const rerender = (next: ReactNode) => act(async () => root.render(next));
  await rerender(node);
  const find = (role: string, name?: string | RegExp) => {
    const found = listByRole(document.body, role, name);
    if (found.length > 1) throw new Error(`${found.length} elements: ${role} ${String(name)}`);
    return found[0] ?? null;
  };
  return {
    container,
    find,
    get(role, name) {
      const found = find(role, name);
      if (found !== null) return found;
      throw new Error(`no ${role} ${String(name)} in ${document.body.innerHTML}`);
    },
    rerender,
  };
}

/** Clicks and flushes all resulting effects. */
export function click(element: HTMLElement): Promise<void> {
  return act(async () => element.click());
}

/** Sets the value of a controlled field as if the user had typed it. */
export function fill(field: HTMLInputElement | HTMLTextAreaElement, value: string): Promise<void> {
  return act(async () => {
    // React replaces the element's property. The prototype's setter makes React notice the change.
    const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
    setter?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

export function pressKey(target: EventTarget, key: string, init: KeyboardEventInit = {}) {
  return act(async () => {
    target.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }),
    );
  });
}
