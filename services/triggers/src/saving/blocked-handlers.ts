import { recordChange } from '@longreach/kit/audit-trail'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers } from '@longreach/kit/service'
import type { TriggersDeps } from '../deps.ts'
import {
  blockedTypes,
  ownBlockedTypes,
  saveBlockedTypes,
  toBlocked,
  typesOf,
} from './blocked-store.ts'
import { noTrigger } from '../no-trigger.ts'
import { actionsOf } from './action-rules.ts'
import type { savingContract } from './contract.ts'
import { triggersForOrganization } from './trigger-store.ts'

type Other = Pick<
  Handlers<typeof savingContract>,
  'blockedActions' | 'setBlockedActions' | 'triggersForDevice' | 'triggerForTrial'
>

/** Actions that do not run, and triggers as platform asks for them. */
export function blockedHandlers({ db, clients }: TriggersDeps): Other {
  const blockedOf = async (org: string) => {
    const types = await blockedTypes(db, org)
    const { hasMail } = await clients.notifications.checkOutgoing({ body: { outgoing: [] } })
    return toBlocked(hasMail ? types : new Set([...types, 'EMAIL_ACTION']))
  }
  return {
    blockedActions: (_, ctx) => blockedOf(ctx.organization.resourceId),

    setBlockedActions: async ({ body }, ctx) => {
      const { resourceId: org } = ctx.organization
      const types = typesOf(body)
      await db.transaction().execute(async (tx) => {
        await holdLock(tx, 'triggers.blocked', org)
        const before = await ownBlockedTypes(tx, org)
        const row = { org, types, updated_at: ctx.now, updated_by: ctx.caller.username }
        await saveBlockedTypes(tx, row)
        await recordChange(tx, ctx, {
          resource: 'triggers',
          action: 'update',
          id: org,
          label: 'blockedActions',
          before: { blocked: before },
          after: { blocked: types },
        })
      })
      return blockedOf(org)
    },

    triggerForTrial: async ({ params: { id } }) => {
      const row = await db.selectFrom('trigger').selectAll().where('id', '=', id).executeTakeFirst()
      if (!row) throw noTrigger(id)
      const { policy } = row.data
      return { orgResourceId: row.org, policy, actions: actionsOf(row.data) }
    },

    triggersForDevice: async ({ query: { orgResourceId } }) => {
      const rows = await triggersForOrganization(db, orgResourceId)
      return {
        triggers: rows.map((row) => ({
          id: row.id,
          orgResourceId: row.org,
          version: row.version,
          updatedAt: row.policy_at.getTime(),
          deviceGroups: row.device_groups,
          policy: row.data.policy,
        })),
      }
    },
  }
}
