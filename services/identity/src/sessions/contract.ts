import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

export const sessionsContract = definePartContract({
  events: {
    /** A session ended: by its person, an administrator, or expiry. */
    sessionEnded: {
      topic: 'identity.session_ended',
      lane: ({ session }: { session: string }) => session,
      payload: z.object({ session: z.string(), sub: z.string() }),
    },
  },
})
