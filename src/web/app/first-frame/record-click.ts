import "./handoff.ts";

/**
 * Records the last click on a button that needs the app. The app repeats the click after hydration.
 */
const click: NonNullable<Window["earlyClick"]> = { button: null };
window.earlyClick = click;
addEventListener(
  "click",
  ({ target }) => {
    if (target instanceof Element) click.button = target.closest("button[type=button]");
  },
  true,
);
