export declare function selectTests(args: readonly string[]): {
  projects: string[];
  args: string[];
};
