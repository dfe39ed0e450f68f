import { useMemo, useState } from "react";
import { preferences } from "../core/browser-player.ts";

/**
 * Controls theatre mode through an attribute of the document. theme-boot.ts sets it before the
 * first paint.
 */
export function useTheatre(isPossible: boolean): { isOn: boolean; toggle: () => void } | null {
  const [isOn, setOn] = useState(() => preferences.read().isTheatre);
  return useMemo(() => {
    if (!isPossible) return null;
    const toggle = () => {
      document.documentElement.toggleAttribute("data-theatre", !isOn);
      preferences.write({ isTheatre: !isOn });
      setOn(!isOn);
    };
    return { isOn, toggle };
  }, [isPossible, isOn]);
}
