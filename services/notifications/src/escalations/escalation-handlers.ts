import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDb } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import { usersOf } from '../users-of.ts'
import type { EscalationSettings, escalationsContract } from './contract.ts'
import {
  countEscalations,
  deleteEscalation,
  findEscalation,
  listEscalations,
  lockEscalation,
  saveEscalation,
  type EscalationRow,
} from './escalation-store.ts'

const mostEscalations = 100

export function escalationHandlers(deps: NotificationsDeps): Handlers<typeof escalationsContract> {
  const { db } = deps
  return {
    escalations: async (_, ctx) => ({
      data: (await listEscalations(db, reachOf(ctx))).map(toEscalation),
    }),

    createEscalation: async ({ body }, ctx) => {
      const org = ctx.organization.resourceId
      await checkSteps(deps, org, body)
      const row = { id: randomUUID(), org, ...escalationColumns(ctx, body) }
      await db.transaction().execute(async (tx) => {
        await holdEscalationNames(tx, org)
        if ((await countEscalations(tx, org)) >= mostEscalations) throw tooManyEscalations()
        await storeEscalation(tx, ctx, 'create', row)
      })
      return toEscalation(row)
    },

    replaceEscalation: async ({ params: { id }, body }, ctx) => {
      const found = await findEscalation(db, reachOf(ctx), id)
      if (!found) throw noEscalation(id)
      await checkSteps(deps, found.org, body)
      return db.transaction().execute(async (tx) => {
        const before = await lockEscalation(tx, reachOf(ctx), id)
        if (!before) throw noEscalation(id)
        await holdEscalationNames(tx, before.org)
        const row = { ...before, ...escalationColumns(ctx, body) }
        await storeEscalation(tx, ctx, 'update', row)
        return toEscalation(row)
      })
    },

    deleteEscalation: async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const row = await lockEscalation(tx, reachOf(ctx), id)
        if (!row) throw noEscalation(id)
        const users = await usersOf(tx, row.org, id)
        if (users.length > 0) {
          const message = `The escalation is used by ${users.join(', ')}. Take it out there first.`
          throw failure(notificationsContract, 'in_use', { message, users })
        }
        await deleteEscalation(tx, id)
        await recordChange(tx, ctx, escalationChange('delete', row))
      })
    },
  }
}

const escalationColumns = (ctx: OrgCtx, settings: EscalationSettings) => ({
  name: settings.name,
  settings,
  updated_at: ctx.now,
  updated_by: ctx.caller.username,
})

async function storeEscalation(
  tx: Kysely<NotificationsDb>,
  ctx: OrgCtx,
  action: string,
  row: EscalationRow,
) {
  if (!(await saveEscalation(tx, row))) {
    const message = `name: there is an escalation called ${row.name}. Take another name.`
    throw failure(notificationsContract, 'escalation_exists', { field: 'name', message })
  }
  await recordChange(tx, ctx, escalationChange(action, row))
}

const escalationChange = (action: string, { id, name, org, settings }: EscalationRow) => ({
  resource: 'notifications',
  action,
  id,
  label: name,
  organization: org,
  after: { escalation: settings },
})

/** Check that every recipient of a step is there. */
async function checkSteps(deps: NotificationsDeps, org: string, { steps }: EscalationSettings) {
  const named = steps.flatMap(({ to }, step) =>
    to.map((one, place) => ({ ...one, field: `steps.${step}.to.${place}` })),
  )
  const { missing } = await resolveRecipients(deps, org, named)
  const lost = named.find((one) => missing.includes(one))
  if (!lost) return
  const message = `${lost.field}: there is no ${lost.type} "${lost.id}" in this organization`
  throw failure(notificationsContract, 'no_recipient', { field: lost.field, message })
}

const toEscalation = ({ id, org, settings, ...row }: EscalationRow) => ({
  ...settings,
  id,
  orgResourceId: org,
  updatedAt: row.updated_at.getTime(),
  updatedBy: row.updated_by,
})

const noEscalation = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `There is no escalation ${id} here` })

const tooManyEscalations = () =>
  failure(notificationsContract, 'too_many', {
    message: `An organization has at most ${mostEscalations} escalations. Delete some that nobody needs.`,
  })

/** Holds the lock under which the escalations of an organization are counted and named, until the transaction ends. */
const holdEscalationNames = (tx: Parameters<typeof holdLock>[0], org: string) =>
  holdLock(tx, 'notifications.escalations', org)
