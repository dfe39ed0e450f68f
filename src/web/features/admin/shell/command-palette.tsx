import { SearchIcon } from "lucide-react";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { useNavigate } from "react-router";
import { classNames } from "#web/components/ui/class-names.ts";
import { isOfInputMethod, keyOf } from "#web/lib/key-of.ts";
import { hasOpenDialog } from "#web/lib/open-dialog.ts";
import { useQuiet } from "../shared/use-quiet.ts";
import { useUploads } from "../upload/queue-context.tsx";
import { usePaletteEntries, type PaletteEntry } from "./palette-entries.ts";

const quietMs = 200;

function Option({
  id,
  entry,
  isActive,
  onPick,
  onPoint,
}: {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
  onPick: () => void;
  onPoint: () => void;
}) {
  const { Icon } = entry;
  return (
    // The field keeps the focus, handles the keys and refers to the active option.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: "nearest" });
      }}
      className={classNames("popup-item min-h-11! cursor-pointer", isActive && "bg-ink-4")}
      onPointerMove={onPoint}
      onClick={onPick}
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-11" />
      <bdi className="truncate">{entry.label}</bdi>
    </div>
  );
}

function PaletteBody({ onClose, onSignOut }: { onClose: () => void; onSignOut: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const uploads = useUploads();
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const query = text.trim();
  const entries = usePaletteEntries(query, useQuiet(query, quietMs), {
    go: (href) => void navigate(href),
    upload: () => uploads.setOpen(true),
    signOut: onSignOut,
  });
  const at = Math.min(active, Math.max(0, entries.length - 1));

  const pick = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const steer = (event: KeyboardEvent) => {
    if (isOfInputMethod(event.nativeEvent)) return;
    const count = entries.length;
    if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, count));
    else if (event.key === "ArrowUp") setActive((at + count - 1) % Math.max(1, count));
    else if (event.key === "Enter") pick(entries[at]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="relative border-b border-line">
        <SearchIcon className="absolute top-4 inset-s-4 size-5 text-ink-11" />
        <input
          role="combobox"
          aria-label="Search pages, actions and videos"
          aria-expanded="true"
          aria-controls={`${id}list`}
          aria-activedescendant={entries[at] === undefined ? undefined : `${id}${at}`}
          placeholder="Search pages, actions and videos..."
          autoComplete="off"
          className="h-13 w-full bg-transparent pe-4 ps-12 text-base outline-none"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={steer}
        />
      </div>
      <div
        id={`${id}list`}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2"
      >
        {entries.map((entry, index) => (
          <div key={entry.id} role="presentation">
            {entries[index - 1]?.group === entry.group ? null : (
              <div role="presentation" className="px-3 pt-2 pb-1 text-xs font-medium text-ink-11">
                {entry.group}
              </div>
            )}
            <Option
              id={`${id}${index}`}
              entry={entry}
              isActive={index === at}
              onPoint={() => setActive(index)}
              onPick={() => pick(entry)}
            />
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <p role="status" className="px-5 pb-5 text-ink-11">
          Nothing found.
        </p>
      ) : null}
    </>
  );
}

/** Ctrl-K or Cmd-K opens the palette anywhere in the back office. */
export function CommandPalette({
  isOpen,
  onOpen,
  onSignOut,
}: {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onSignOut: () => void;
}) {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (keyOf(event) !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Opening it would discard the work in another dialog.
      if (!hasOpenDialog()) onOpen(true);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [onOpen]);

  // Starts empty if it is opened again during the fade.
  const [wasOpen, setWasOpen] = useState(isOpen);
  const [opening, setOpening] = useState(0);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    if (isOpen) setOpening(opening + 1);
  }

  return (
    <Base.Root open={isOpen} onOpenChange={onOpen}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup
          aria-label="Command palette"
          className="dialog-popup max-w-xl text-sm md:mt-[14vh]!"
        >
          <PaletteBody key={opening} onClose={() => onOpen(false)} onSignOut={onSignOut} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
