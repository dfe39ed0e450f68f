export declare function runMain(
  main: () => Promise<number | undefined>,
  version?: string,
): Promise<void>;
