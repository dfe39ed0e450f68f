import type { DataRouter } from "react-router";

/**
 * Updates the title and metadata after a navigation. The server wrote those of the first page, so
 * this code is only loaded with the first navigation.
 */
export function followHead(router: Pick<DataRouter, "state" | "subscribe">): void {
  let shown = router.state;
  router.subscribe((state) => {
    if (state.navigation.state !== "idle") return;
    const isSame =
      shown.location === state.location &&
      shown.loaderData === state.loaderData &&
      shown.errors === state.errors;
    shown = state;
    if (isSame) return;
    const url = new URL(window.location.href);
    Promise.all([import("./page-head.ts"), import("#web/lib/page/head.ts")])
      .then(async ([{ headOfPage }, { applyHead }]) => {
        const head = await headOfPage(state, url);
        // Another navigation may have finished meanwhile.
        if (shown === state) applyHead(head);
      })
      .catch((error: unknown) => console.warn("Couldn't set the page's title", error));
  });
}
