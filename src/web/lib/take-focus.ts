/** Ref of an element that replaces the focused one. Moves the focus to it. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
