import { useCallback, useRef, type ComponentType } from "react";
import { toast } from "#web/components/ui/toast.tsx";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { useLazyComponent } from "#web/lib/use-lazy-component.ts";

const messages = inLanguage("player");

/**
 * Returns a component that is loaded when a button opens it. If loading fails while it is open,
 * closes it with an error toast.
 */
export function useLazyPopup<Props>(
  load: () => Promise<ComponentType<Props>>,
  isOpen: boolean,
  setOpen: (isOpen: false) => void,
): ReturnType<typeof useLazyComponent<Props>> {
  const isStillOpen = useRef(isOpen);
  isStillOpen.current = isOpen;
  const loadOrClose = useCallback(() => {
    const loading = load();
    loading.catch(() => {
      if (!isStillOpen.current) return;
      isStillOpen.current = false;
      setOpen(false);
      toast.error(messages.partFailed);
    });
    return loading;
  }, [load, setOpen]);
  return useLazyComponent(loadOrClose, isOpen);
}
