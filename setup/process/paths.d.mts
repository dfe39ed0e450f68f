export declare const root: string;
export declare const modulesDir: string;
