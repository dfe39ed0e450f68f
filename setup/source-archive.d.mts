export declare function archiveSource(root: string): string | null;
