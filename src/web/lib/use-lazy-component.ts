import { useCallback, useEffect, useState, type ComponentType } from "react";

/**
 * Returns a component that is loaded on first use. If loading fails, the page continues. The
 * next use tries again. Most browsers repeat the failure until the page is reloaded.
 */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
): { Lazy: ComponentType<Props> | null; prepare: () => void } {
  const [Lazy, setLazy] = useState<ComponentType<Props> | null>(null);
  const prepare = useCallback(() => {
    load().then((loaded) => setLazy(() => loaded), console.warn);
  }, [load]);
  useEffect(() => {
    if (isWanted) prepare();
  }, [isWanted, prepare]);
  return { Lazy, prepare };
}
