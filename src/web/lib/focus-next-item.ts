/** Moves the focus to the last button of an item, or else to the heading of the page. */
export function focusItem(item: Element | null | undefined): void {
  const button = [...(item?.querySelectorAll("button") ?? [])].at(-1);
  const heading = document.querySelector<HTMLElement>("main h1");
  if (button === undefined) heading?.setAttribute("tabindex", "-1");
  (button ?? heading)?.focus({ preventScroll: true });
}

/**
 * Call it before the focused item of a list is removed. Moves the focus to the next or previous
 * item.
 */
export function focusNextItem(): void {
  const item = document.activeElement?.closest("li");
  if (item != null) focusItem(item.nextElementSibling ?? item.previousElementSibling);
}
