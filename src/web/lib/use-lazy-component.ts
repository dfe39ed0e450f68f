import { useCallback, useEffect, useState, type ComponentType } from "react";

/**
 * Returns a component that is loaded on first use. If loading fails, the page continues, and the
 * next use retries, which most browsers refuse until the page is reloaded.
 * @param onFailed called if loading fails while the component is wanted. Must be the same on every
 * render.
 */
export function useLazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailed: (error: unknown) => void = console.warn,
): { Lazy: ComponentType<Props> | null; prepare: () => void } {
  const [Lazy, setLazy] = useState<ComponentType<Props> | null>(null);
  const prepare = useCallback(() => {
    load().then((loaded) => setLazy(() => loaded), isWanted ? onFailed : console.warn);
  }, [load, isWanted, onFailed]);
  useEffect(() => {
    if (isWanted) prepare();
  }, [isWanted, prepare]);
  return { Lazy, prepare };
}
