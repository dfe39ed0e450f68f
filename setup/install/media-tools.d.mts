export declare function ensureMediaTools(): Promise<Record<string, string>>;
