import { useState } from "react";
import { closedMenuGroupsKey, readStored, writeStored } from "#web/lib/device-storage.ts";
import { menuGroups, type MenuGroup } from "../shared/admin-page.ts";

function readClosed(): MenuGroup[] {
  const names = (readStored(closedMenuGroupsKey) ?? "").split(",");
  return menuGroups.filter((group) => names.includes(group));
}

/** Returns the side-menu groups that the user has collapsed. Stored on this device. */
export function useClosedGroups(): [closed: readonly MenuGroup[], toggle: (g: MenuGroup) => void] {
  const [closed, setClosed] = useState(readClosed);
  const toggle = (group: MenuGroup) => {
    const next = closed.includes(group)
      ? closed.filter((each) => each !== group)
      : [...closed, group];
    setClosed(next);
    writeStored(closedMenuGroupsKey, next.join(","));
  };
  return [closed, toggle];
}
