import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

export const accountsContract = definePartContract({
  events: {
    /** A person changed or proved their name or e-mail address. */
    accountChanged: {
      topic: 'identity.account_changed',
      lane: ({ sub }: { sub: string }) => sub,
      payload: z.object({
        sub: z.string(),
        email: z.string(),
        firstName: z.string(),
        lastName: z.string(),
      }),
    },
  },
})
