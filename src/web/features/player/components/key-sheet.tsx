import { useEffect, useId, useRef } from "react";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("player");
const keyTexts = inLanguage("playerKeys");

/** Rows of the keyboard shortcuts dialog. */
const keyList = [
  { keys: ["space", "K"], does: "play" },
  { keys: ["J", "L"], does: "jump" },
  { keys: ["←", "→"], does: "seek" },
  { keys: ["↑", "↓"], does: "volume" },
  { keys: ["M"], does: "sound" },
  { keys: ["0", "…", "9"], does: "part" },
  { keys: ["<", ">"], does: "speed" },
  { keys: [",", "."], does: "picture" },
  { keys: ["C"], does: "captions" },
  { keys: ["F"], does: "fullscreen" },
  { keys: ["T"], does: "theatre" },
  { keys: ["I"], does: "pictureInPicture" },
  { keys: ["?"], does: "keys" },
] as const;

/** Shows the keyboard shortcuts in a native dialog, which traps the focus and closes on Escape. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
  }, []);
  return (
    // The click is for pointers. With the keyboard, Escape and the button close the dialog.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="player-sheet"
      onClose={onClose}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target.
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div className="player-sheet-inner">
        <h2 id={titleId}>{messages.keys}</h2>
        <dl>
          {keyList.map(({ keys, does }) => (
            <div key={does}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key === "space" ? keyTexts.space : key}</kbd>
                ))}
              </dt>
              <dd>{keyTexts[does]}</dd>
            </div>
          ))}
        </dl>
        <button type="button" className="player-pill" onClick={() => dialog.current?.close()}>
          {messages.close}
        </button>
      </div>
    </dialog>
  );
}
