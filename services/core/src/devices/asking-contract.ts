import { z } from 'zod'

/** Caller for whom another service works; their rights are looked up at each call. */
export const Asking = z.object({
  caller: z.object({
    kind: z.enum(['nobody', 'user', 'service', 'device']),
    sub: z.string(),
    username: z.string(),
    realm: z.string(),
    org: z.string().optional(),
    session: z.string().optional(),
    secondFactor: z.boolean().optional(),
    serviceAccount: z.boolean().optional(),
    impersonator: z.object({ sub: z.string(), username: z.string() }).optional(),
    apiKey: z.object({ id: z.int(), organization: z.string() }).optional(),
  }),
  /** resourceId of the organization that the work was asked for in. */
  organization: z.string().min(1).max(500),
  /** With all organizations below, by the rights that reach there. */
  subtree: z.boolean(),
  ip: z.string().max(100),
})
