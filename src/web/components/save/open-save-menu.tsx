import { createRoot, type Root } from "react-dom/client";
import { SaveMenu } from "./save-menu.tsx";

let root: Root | null = null;

/** Opens the menu that saves a video for later or in a playlist, beside this element. */
export function openSaveMenu(anchor: HTMLElement, slug: string): void {
  root ??= createRoot(document.body.appendChild(document.createElement("div")));
  const close = () => root?.render(null);
  root.render(<SaveMenu key={slug} anchor={anchor} slug={slug} onClose={close} />);
}
