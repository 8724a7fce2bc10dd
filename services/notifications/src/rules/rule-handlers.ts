import { can } from '@longreach/authorization/can'
import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { randomUUID } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { NotificationRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import { resolveRecipients } from '../recipients/resolve-recipients.ts'
import { readAlarmExpression } from './alarm-fields.ts'
import type { Notification, NotificationSettings, rulesContract } from './contract.ts'
import { toNamed } from '../recipients/recipient-rules.ts'
import {
  countNotifications,
  deleteNotification,
  findNotification,
  listNotifications,
  lockNotification,
  saveNotification,
} from './rule-store.ts'
import { tryNotification } from './trying.ts'

/** Most rules of an organization. */
const mostRules = 500

export function ruleHandlers(deps: NotificationsDeps): Handlers<typeof rulesContract> {
  const { db } = deps
  return {
    notifications: async ({ query }, ctx) => {
      const { rows, total } = await listNotifications(db, reachOf(ctx), query)
      return toDataPage(rows.map(toNotification), total, query)
    },

    notification: async ({ params: { id } }, ctx) => {
      const row = await findNotification(db, reachOf(ctx), id)
      if (!row) throw noNotification(id)
      return toNotification(row)
    },

    createNotification: async ({ body }, ctx) => {
      await checkSettings(deps, ctx, ctx.organization.resourceId, body)
      const row = toRuleRow(ctx, body)
      await db.transaction().execute(async (tx) => {
        await holdLock(tx, 'notifications.rules', row.org)
        if ((await countNotifications(tx, row.org)) >= mostRules) throw tooManyRules()
        await saveNotification(tx, row)
        await recordChange(tx, ctx, ruleChange('create', row, { after: body }))
      })
      return toNotification(row)
    },

    replaceNotification: async ({ params: { id }, body }, ctx) => {
      const found = await findNotification(db, reachOf(ctx), id)
      if (!found) throw noNotification(id)
      await checkSettings(deps, ctx, found.org, body)
      return db.transaction().execute(async (tx) => {
        const before = await lockNotification(tx, reachOf(ctx), id)
        if (!before) throw noNotification(id)
        const row = toRuleRow(ctx, body, before)
        await saveNotification(tx, row)
        await recordChange(
          tx,
          ctx,
          ruleChange('update', row, { before: before.settings, after: body }),
        )
        return toNotification(row)
      })
    },

    deleteNotification: async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const before = await lockNotification(tx, reachOf(ctx), id)
        if (!before) throw noNotification(id)
        await deleteNotification(tx, id, ctx.now)
        await recordChange(tx, ctx, ruleChange('delete', before, { before: before.settings }))
      })
    },

    tryNotification: tryNotification(deps),
  }
}

const ruleChange = (action: string, row: NotificationRow, values: object) => ({
  resource: 'notifications',
  action,
  id: row.id,
  label: row.name,
  organization: row.org,
  ...values,
})

function toRuleRow(ctx: OrgCtx, settings: NotificationSettings, before?: NotificationRow) {
  const { resourceId, realm } = ctx.organization
  return {
    id: before?.id ?? randomUUID(),
    org: before?.org ?? resourceId,
    realm: before?.realm ?? realm,
    name: settings.name,
    enabled: settings.enabled,
    minimum_severity: settings.minimumSeverity,
    below: settings.longreach.below,
    version: (before?.version ?? 0) + 1,
    settings,
    owner: ctx.caller.sub,
    owner_name: ctx.caller.username,
    created_at: before?.created_at ?? ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  }
}

const toNotification = ({ settings, ...row }: NotificationRow): Notification => ({
  ...settings,
  id: row.id,
  realmId: row.realm,
  orgResourceId: row.org,
  updatedAt: row.updated_at.getTime(),
})

const noNotification = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `There is no notification ${id} here` })

const tooManyRules = () =>
  failure(notificationsContract, 'too_many', {
    message: `An organization has at most ${mostRules} notifications. Delete some that nobody needs.`,
  })

/** Check that the expressions can be read, and that every recipient is there and allowed. */
async function checkSettings(
  deps: NotificationsDeps,
  ctx: OrgCtx,
  org: string,
  settings: NotificationSettings,
) {
  for (const [place, source] of settings.extraFilters.entries()) {
    const read = source.trim() === '' ? { ok: true as const } : readAlarmExpression(source)
    if (read.ok) continue
    const field = `extraFilters.${place}`
    const message = `${field} cannot be read: ${read.message}, at character ${read.at + 1}`
    throw failure(notificationsContract, 'bad_expression', { field, at: read.at, message })
  }
  await checkRecipients(deps, ctx, org, settings)
}

async function checkRecipients(
  deps: NotificationsDeps,
  ctx: OrgCtx,
  org: string,
  { enabled, recipientFilters, longreach }: NotificationSettings,
) {
  const named = recipientFilters.map(toNamed)
  const channels = longreach.channels.filter((one) => one !== 'inbox' && one !== 'mail')
  const asked = [...named, ...channels.map((id) => ({ type: 'channel' as const, id }))]
  const found = await resolveRecipients(deps, org, asked)
  const [missing] = found.missing
  if (missing !== undefined) {
    const place = named.indexOf(missing)
    const field = place === -1 ? 'longreach.channels' : `recipientFilters.${place}`
    const message = `${field}: there is no ${missing.type === 'any' ? 'person, group or address' : missing.type} "${missing.id}" in this organization`
    throw failure(notificationsContract, 'no_recipient', { field, message })
  }
  if (enabled && asked.length === 0) {
    const message = 'recipientFilters is empty: name a person, a group or a channel, or disable it'
    throw failure(notificationsContract, 'no_recipient', { field: 'recipientFilters', message })
  }
  if (found.addresses.length > 0 && !can(ctx.capability, 'notifications', 'update')) {
    const message =
      'recipientFilters: an address outside of the organization needs the permission notifications:update'
    throw failure(notificationsContract, 'outside_not_allowed', {
      field: 'recipientFilters',
      message,
    })
  }
}
