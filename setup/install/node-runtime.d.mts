export declare const machine: string;
export declare function findNode(version?: string): string;
