import { config } from 'zod'

// Compiling schemas by `eval` is not allowed by the page's content security policy.
config({ jitless: true })
