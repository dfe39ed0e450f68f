/**
 * One click handler for every button with `data-save`, the slug of a video: cards carry no state and no
 * script for their menus. The menu loads with the first click.
 */
export function watchSaveClicks(root: Document): void {
  root.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-save]") : null;
    if (button === null) return;
    import("./open-save-menu.tsx").then(
      ({ openSaveMenu }) => openSaveMenu(button, button.dataset["save"] ?? ""),
      console.warn,
    );
  });
}
