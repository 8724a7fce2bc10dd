import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'
import { recipientTypes } from '../recipient-contract.ts'

const name = z.string().trim().min(1).max(200)
const to = z.object({ type: z.enum(recipientTypes), id: z.string().min(1).max(300) })

export const EscalationSettings = z.object({
  name,
  steps: z
    .array(z.object({ afterMin: z.int().min(0).max(10_080), to: z.array(to).min(1).max(50) }))
    .min(1)
    .max(20),
  /** Times that all steps are repeated while nobody acknowledges. */
  repeat: z.int().min(0).max(20).default(0),
})
export type EscalationSettings = z.output<typeof EscalationSettings>

const kept = { id: z.uuid(), orgResourceId: z.string(), updatedAt: ms, updatedBy: z.string() }
const Escalation = EscalationSettings.extend(kept)

const ignored = ['id', 'orgResourceId', 'updatedAt', 'updatedBy'] as const
const read = { access: 'notifications:read', query: inOrganization } as const
const change = { access: 'notifications:update', query: inOrganization } as const

export const escalationsContract = definePartContract({
  errors: {
    escalation_exists: 409,
    in_use: 409,
    no_recipient: 422,
    outside_not_allowed: 422,
    too_many: 422,
  },
  endpoints: {
    escalations: {
      method: 'GET',
      path: '/escalations',
      ...read,
      result: z.object({ data: z.array(Escalation) }),
    },
    createEscalation: {
      method: 'POST',
      path: '/escalations',
      ...change,
      body: EscalationSettings,
      result: Escalation,
      status: 201,
    },
    replaceEscalation: {
      method: 'PUT',
      path: '/escalations/:id',
      ...change,
      params: byId,
      body: EscalationSettings,
      ignored,
      result: Escalation,
    },
    deleteEscalation: {
      method: 'DELETE',
      path: '/escalations/:id',
      ...change,
      params: byId,
      result: z.undefined(),
    },
  },
})
