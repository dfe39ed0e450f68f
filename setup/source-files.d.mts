export declare function listTrackedFiles(root: string): string | null;
export declare function writeSourceFiles(root: string, folder: string): void;
