import { HistoryIcon, XIcon } from "lucide-react";
import type { SearchOption } from "../hooks/use-search-options.ts";
import { CompletedText } from "./completed-text.tsx";

/** Suggestion in the list below a search box. */
export function SearchOptionRow({
  id,
  option: { text, note, icon, choose, remove },
  typed,
  isMarked,
  onMark,
}: {
  id: string;
  option: SearchOption;
  /** Text in the box. */
  typed: string;
  isMarked: boolean;
  onMark: () => void;
}) {
  return (
    // The box keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isMarked}
      data-highlighted={isMarked ? "" : undefined}
      className="popup-item min-h-11!"
      onPointerMove={onMark}
      // The box must keep the focus until the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      {icon === "recent" ? <HistoryIcon className="size-4 shrink-0 text-ink-11" /> : null}
      {icon === "clear" ? <XIcon className="size-4 shrink-0 text-ink-11" /> : null}
      <bdi className="truncate">
        <CompletedText text={text} typed={typed} />
      </bdi>
      {note === undefined ? null : (
        <span className="ms-auto shrink-0 text-xs text-ink-11">{note}</span>
      )}
      {remove === undefined ? null : (
        // Not a button, because an option must not contain one. Keyboard users press Delete.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          className="-my-2 -me-2 ms-auto flex size-11 shrink-0 items-center justify-center text-ink-11 hover:text-ink-12"
          onClick={(event) => {
            event.stopPropagation();
            remove();
          }}
        >
          <XIcon className="size-4" />
        </span>
      )}
    </div>
  );
}
