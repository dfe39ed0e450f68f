/** Returns how the browser loaded this document, or undefined if it doesn't report it. */
export function documentLoadType(): NavigationTimingType | undefined {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type;
}
