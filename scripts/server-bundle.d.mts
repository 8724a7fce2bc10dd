export declare const bundlesOf: (root: string) => string
export declare const currentOf: (root: string) => string
export declare function stateOf(root: string, source: string): string
export declare function bundledProgram(root: string, program: string): string | undefined
