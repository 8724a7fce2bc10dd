import { z } from 'zod'

export const recipientTypes = ['user', 'group', 'schedule', 'channel', 'address'] as const
export type RecipientType = (typeof recipientTypes)[number]

/** Recipient by type, or a text: `user:anna`, `group:12`, a user name, the name of a group, an address. */
export const RecipientFilter = z.union([
  z.string().min(1).max(300),
  z.object({ type: z.enum(recipientTypes), id: z.union([z.string().min(1).max(300), z.int()]) }),
])
export type RecipientFilter = z.output<typeof RecipientFilter>
