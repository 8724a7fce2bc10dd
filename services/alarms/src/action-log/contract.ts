import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { alarmId, deviceId, inOrganization, ms } from '../asked-contract.ts'

const time = z.coerce.number<number>().min(-8e15).max(8e15)
const part = z.string().max(200).optional()

export const actionLogContract = definePartContract({
  endpoints: {
    /** Actions of people on alarms by time, newest first; `next` of an answer is that of the next request. */
    actionLog: {
      method: 'GET',
      path: '/actions',
      access: 'alarms:read',
      query: inOrganization.extend({
        from: time.optional(),
        to: time.optional(),
        /** Text in the alarm, the device or the comment. */
        text: part,
        person: part,
        device: part,
        next: z.string().max(200).optional(),
        limit: z.coerce.number<number>().int().min(1).max(500).default(100),
      }),
      result: z.object({
        data: z.array(
          z.object({
            alarm: alarmId,
            /** Number of the change of the alarm. */
            n: z.int(),
            at: ms,
            kind: z.string(),
            by: z.string(),
            comment: z.string().nullable(),
            name: z.string(),
            severity: z.int(),
            deviceId,
            device: z.string(),
            orgResourceId: z.string(),
          }),
        ),
        next: z.string().nullable(),
      }),
    },
  },
})
