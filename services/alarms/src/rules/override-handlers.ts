import { canInSight } from '@longreach/authorization/device-visibility'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { issueAt } from '@longreach/rules/issue'
import { validateRule } from '@longreach/rules/validate'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import { Override } from './contract.ts'
import { overridden } from './override-rules.ts'
import { dropOverride, overridesOf, saveOverride } from './override-store.ts'
import { ruleInvalid } from './rule-check.ts'
import { deviceInSight } from './rule-devices.ts'
import { locked, noRule } from './rule-handlers.ts'
import { announce } from './rule-saving.ts'
import { rulesInSight } from './rule-sight.ts'
import { findRule, type RuleRow } from './rule-store.ts'

type Keys = 'overrides' | 'setOverride' | 'deleteOverride'

/** Handlers of what is different from a rule on single devices. */
export const overrideHandlers = (
  deps: AlarmsDeps,
): Pick<Handlers<typeof alarmsContract>, Keys> => ({
  overrides: async ({ params: { id } }, ctx) => {
    if (!(await findRule(deps.db, rulesInSight(ctx), id))) throw noRule(id)
    const rows = await overridesOf(deps.db, id)
    const seen = rows.filter(({ org, groups }) => canInSight(ctx, 'read', { org, groups }))
    return {
      data: seen.map(({ device_id, label, settings }) => ({
        deviceId: device_id,
        deviceLabel: label,
        override: Override.parse(settings),
      })),
    }
  },

  setOverride: async ({ params: { id, deviceId }, body }, ctx) => {
    await deviceInSight(deps, ctx, deviceId)
    await deps.db.transaction().execute(async (tx) => {
      const row = await locked(tx, ctx, id)
      checkOverride(row, body)
      const { now: at, caller } = ctx
      await saveOverride(tx, { ruleId: id, deviceId, settings: body, at, by: caller.username })
      await announce(tx, { before: row, after: row })
      await recordOverride(ctx, row, deviceId, { after: body })(tx)
    })
    return body
  },

  deleteOverride: async ({ params: { id, deviceId } }, ctx) => {
    await deviceInSight(deps, ctx, deviceId)
    await deps.db.transaction().execute(async (tx) => {
      const row = await locked(tx, ctx, id)
      if (!(await dropOverride(tx, id, deviceId))) throw noOverride(deviceId)
      await announce(tx, { before: row, after: row })
      await recordOverride(ctx, row, deviceId, {})(tx)
    })
    return undefined
  },
})

/** Refuses what would make a wrong rule of it. */
function checkOverride(row: RuleRow, override: Override) {
  const judged = validateRule(overridden(row.rule, override))
  if (!judged.ok) throw ruleInvalid(judged.issues)
  if (override.levels.length > judged.rule.levels.length) {
    throw ruleInvalid([issueAt('levels', 'too_many', { most: judged.rule.levels.length })])
  }
  if (override.outOfServiceUntil !== undefined && override.reason.trim() === '') {
    throw ruleInvalid([issueAt('reason', 'missing')])
  }
}

const recordOverride =
  (ctx: OrgCtx, row: RuleRow, deviceId: string, { after }: { after?: object }) =>
  (tx: Parameters<typeof recordChange>[0]) =>
    recordChange(tx, ctx, {
      resource: 'alarms',
      action: 'update',
      id: row.id,
      label: row.name,
      organization: row.org,
      after: { deviceId, override: after ?? null },
    })

const noOverride = (deviceId: string) =>
  failure(alarmsContract, 'not_found', {
    message: `The rule has nothing of its own for the device ${deviceId}.`,
  })
