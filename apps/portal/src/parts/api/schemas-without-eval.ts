type Holder = { __zod_globalConfig?: { jitless?: boolean } }

// Compiling schemas by `eval` is not allowed by the page's content security policy. Zod looks here when it
// loads, so that a page without schemas need not load zod to say so.
const holder = globalThis as Holder // zod's own name for it
holder['__zod_globalConfig'] ??= {}
holder['__zod_globalConfig'].jitless = true
