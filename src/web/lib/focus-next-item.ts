/**
 * Call it before the focused item of a list is removed. Moves the focus to the last button of the
 * next or previous item, or else to the heading of the page.
 */
export function focusNextItem(): void {
  const item = document.activeElement?.closest("li");
  if (item == null) return;
  const other = item.nextElementSibling ?? item.previousElementSibling;
  const button = [...(other?.querySelectorAll("button") ?? [])].at(-1);
  const heading = document.querySelector<HTMLElement>("main h1");
  if (button === undefined) heading?.setAttribute("tabindex", "-1");
  (button ?? heading)?.focus({ preventScroll: true });
}
