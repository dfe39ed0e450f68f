import { expect, test } from "vitest";
import script from "./record-click.ts?inline-script";
import { runScript } from "./run-script.fixture.ts";

class FakeElement {
  readonly closest = (selector: string) => ({ selector, of: this });
}

test("records the last clicked button that doesn't submit a form", () => {
  const window: { earlyClick?: { button: unknown } } = {};
  let click = (_: object) => {};
  runScript(script, {
    window,
    Element: FakeElement,
    addEventListener: (_: string, listener: typeof click) => (click = listener),
  });
  expect(window.earlyClick).toEqual({ button: null });
  const target = new FakeElement();
  click({ target });
  const button = { selector: "button[type=button]", of: target };
  expect(window.earlyClick?.button).toEqual(button);
  click({ target: {} });
  expect(window.earlyClick?.button).toEqual(button);
});
