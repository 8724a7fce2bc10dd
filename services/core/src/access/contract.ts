import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

export const accessContract = definePartContract({
  errors: {
    /** The organization would be left without anybody who administers it. */
    last_administrator: 409,
  },
  events: {
    /** Roles, groups, policies or memberships changed somewhere at or below `resourceId`. */
    permissionsChanged: {
      topic: 'core.permissions_changed',
      payload: z.object({ resourceId: z.string() }),
    },
  },
})
