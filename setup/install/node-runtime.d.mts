export declare function findNode(version?: string): string;
