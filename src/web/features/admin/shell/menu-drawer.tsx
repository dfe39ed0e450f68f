import { MenuIcon, XIcon } from "lucide-react";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useState } from "react";
import { buttonClass } from "#web/components/ui/button.tsx";
import { useSite } from "#web/lib/page/site.ts";
import { SideMenu } from "./side-menu.tsx";

/** Side menu on a phone. */
export function MenuDrawer() {
  const [isOpen, setOpen] = useState(false);
  const site = useSite();
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger
        aria-label="Open menu"
        className={buttonClass({ kind: "ghost", isSquare: true })}
      >
        <MenuIcon className="size-5" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="drawer-popup">
          <div className="flex items-center justify-between gap-2 pb-2 ps-3">
            <Base.Title className="truncate text-base font-semibold">{site.name}</Base.Title>
            <Base.Close
              aria-label="Close menu"
              className={buttonClass({ kind: "ghost", isSquare: true })}
            >
              <XIcon className="size-5" />
            </Base.Close>
          </div>
          <SideMenu onGo={() => setOpen(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
