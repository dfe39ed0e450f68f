import { useCallback, useEffect, useState, type ComponentType } from "react";

/**
 * A component that comes when it is first wanted. A failure (the line is down) leaves nothing
 * broken: the next time it is wanted it is asked for again.
 */
export function useLate<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
): { Late: ComponentType<Props> | null; prepare: () => void } {
  const [Late, setLate] = useState<ComponentType<Props> | null>(null);
  const prepare = useCallback(() => {
    load().then(
      (loaded) => setLate(() => loaded),
      (error: unknown) => console.warn("a part of the player could not be loaded", error),
    );
  }, [load]);
  useEffect(() => {
    if (isWanted) prepare();
  }, [isWanted, prepare]);
  return { Late, prepare };
}
