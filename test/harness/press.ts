import { act, fireEvent, screen, within } from "@testing-library/react";

type Text = string | RegExp;

/** Presses the only button with this name, of the page or of an element. */
export function press(name: Text, element: HTMLElement = document.body): void {
  fireEvent.click(within(element).getByRole("button", { name }));
}

/** Types a value into the only field with this label, of the page or of an element. */
export const fill = (label: Text, value: string, element: HTMLElement = document.body): boolean =>
  fireEvent.change(within(element).getByLabelText(label), { target: { value } });

/** Presses a button of the question that a page asks before an action. */
export async function choose(question: string, button: string): Promise<void> {
  const dialog = await screen.findByRole("alertdialog", { name: question });
  // The action begins after the press, and not while the button is pressed.
  await act(async () => press(button, dialog));
}
