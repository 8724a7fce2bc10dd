import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { inOrganization, ms } from '../asked-contract.ts'

/** Step of the way of an alarm to a person, with what was seen there. */
const Step = z.object({
  gate: z.string(),
  state: z.enum(['passed', 'stopped', 'waits']),
  saw: z.string(),
})
export type Step = z.output<typeof Step>

const RuleWay = z.object({
  notificationId: z.uuid(),
  name: z.string(),
  /** Time of the change of the alarm; of its begin where no decision was made. */
  at: ms,
  /** Change of the alarm, such as `raised`. */
  kind: z.string(),
  steps: z.array(Step),
  /** The person got a message over at least one channel. */
  isTold: z.boolean(),
})

export const whyContract = definePartContract({
  endpoints: {
    /** Reasons for which a person was told of an alarm, or was not, by each rule that the caller may see. */
    why: {
      method: 'GET',
      path: '/why',
      access: 'notifications:read',
      query: inOrganization.extend({
        alarm: z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'must be the id of an alarm'),
        /** User name or subject; the caller without it. */
        user: z.string().max(255).optional(),
      }),
      result: z.object({ user: z.string(), rules: z.array(RuleWay) }),
    },
  },
})
