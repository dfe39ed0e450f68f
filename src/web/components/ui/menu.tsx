import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
}

/** Button that opens a list of actions. */
export function Menu({
  label,
  trigger,
  triggerClassName,
  entries,
}: {
  /** Accessible name of a button that shows an icon. */
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  entries: readonly MenuEntry[];
}) {
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} className={triggerClassName}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-50">
          <Base.Popup className="popup min-w-44 p-1.5">
            {entries.map((entry) => (
              <Base.Item
                key={entry.label}
                disabled={entry.isDisabled}
                onClick={entry.onSelect}
                className={classNames("popup-item", entry.isDanger === true && "text-danger-text")}
              >
                {entry.icon}
                {entry.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
