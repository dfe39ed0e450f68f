export function withLock<Result>(
  path: string,
  what: string,
  work: () => Promise<Result>,
): Promise<Result>;
