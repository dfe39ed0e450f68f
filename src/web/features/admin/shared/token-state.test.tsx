// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { render } from "@testing-library/react";
import { TokenState } from "./token-state.tsx";

const dayMs = 24 * 3600 * 1000;

it.each([
  [15.5, ""],
  [13.5, "Expires in 14 days"],
  [0.5, "Expires within a day"],
  [-0.5, "Expired"],
])("warns about a token that expires in %d days with %j", (days, text) => {
  const expiresAt = new Date(Date.now() + days * dayMs).toISOString();
  const { container } = render(<TokenState expiresAt={expiresAt} />);
  expect(container.textContent).toBe(text);
});
