/**
 * Handles clicks on all buttons with `data-save`, which contains the slug of a video. Cards need no
 * state or script for their menus. The menu is loaded with the first click.
 */
export function watchSaveClicks(root: Document): void {
  root.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-save]") : null;
    if (button === null) return;
    import("./save-menu.tsx").then(
      ({ openSaveMenu }) => openSaveMenu(button, button.dataset["save"] ?? ""),
      console.warn,
    );
  });
}
