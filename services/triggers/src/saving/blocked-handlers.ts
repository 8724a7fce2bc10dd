import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers } from '@longreach/kit/service'
import type { TriggersDeps } from '../deps.ts'
import {
  byKind,
  countByType,
  ownBlockedTypes,
  rowsAround,
  saveBlockedTypes,
  typesOf,
} from './blocked-store.ts'
import { noTrigger } from '../no-trigger.ts'
import { actionsOf } from './action-rules.ts'
import type { savingContract } from './contract.ts'
import { triggersForOrganization } from './trigger-store.ts'

type Other = Pick<
  Handlers<typeof savingContract>,
  | 'blockedActions'
  | 'setBlockedActions'
  | 'blockableActions'
  | 'triggersForDevice'
  | 'triggerForTrial'
>

/** Actions that do not run, and triggers as platform asks for them. */
export function blockedHandlers({ db, clients }: TriggersDeps): Other {
  const blockedOf = async (org: string) => {
    const [rows, { hasMail }] = await Promise.all([
      rowsAround(db, org),
      clients.notifications.checkOutgoing({ body: { outgoing: [] } }),
    ])
    return toBlocked(rows, { org, hasMail })
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

    blockableActions: (_, ctx) => countByType(db, { ...reachOf(ctx), subtree: true }),

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

type Row = Awaited<ReturnType<typeof rowsAround>>[number]

/** Kinds of actions that do not run in an organization, each with the reason. */
function toBlocked(rows: readonly Row[], { org, hasMail }: { org: string; hasMail: boolean }) {
  const own = rows.find((row) => row.org === org)
  const above = new Set(rows.flatMap((row) => (row === own ? [] : row.types)))
  const reasons = byKind((_, type) => {
    if (above.has(type)) return 'above' as const
    if (own?.types.includes(type)) return 'here' as const
    return type === 'EMAIL_ACTION' && !hasMail ? ('no_mail_server' as const) : null
  })
  return {
    ...byKind((field) => reasons[field] !== null),
    longreach: {
      reasons,
      own: byKind((_, type) => own?.types.includes(type) ?? false),
      changedAt: own?.updated_at.getTime() ?? null,
      changedBy: own?.updated_by ?? null,
    },
  }
}
