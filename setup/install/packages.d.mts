export declare function ensurePackages(options?: { needsDev?: boolean }): Promise<void>;
