import { useState } from "react";
import { closedMenuGroupsKey } from "#web/lib/device-storage.ts";
import { menuGroups, type MenuGroup } from "../shared/admin-page.ts";

function readClosed(): MenuGroup[] {
  try {
    const names = (localStorage.getItem(closedMenuGroupsKey) ?? "").split(",");
    return menuGroups.filter((group) => names.includes(group));
  } catch {
    return [];
  }
}

/** Returns the side-menu groups that the user has collapsed. Stored on this device. */
export function useClosedGroups(): [closed: readonly MenuGroup[], toggle: (g: MenuGroup) => void] {
  const [closed, setClosed] = useState(readClosed);
  const toggle = (group: MenuGroup) => {
    const next = closed.includes(group)
      ? closed.filter((each) => each !== group)
      : [...closed, group];
    setClosed(next);
    try {
      localStorage.setItem(closedMenuGroupsKey, next.join(","));
    } catch {
      // Without storage, the choice lasts until a reload.
    }
  };
  return [closed, toggle];
}
