import { canInSight } from '@longreach/authorization/device-visibility'
import { reachOf } from '@longreach/authorization/reach'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Signal } from '@longreach/kit/rounds'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { triggersContract } from '../contract.ts'
import type { TriggerRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { byHand, type Firing, type firingsContract } from '../firing-contract.ts'
import { noTrigger } from '../no-trigger.ts'
import { actionsOf, attributeOf, placeOf } from '../saving/action-rules.ts'
import { ctxOf } from '../saving/trigger-handlers.ts'
import { placeOfDevice, requireOwnRights } from '../saving/trigger-check.ts'
import { findTrigger } from '../saving/trigger-store.ts'

type Given = TriggersDeps & { state: { heard: Signal } }

/** Runs the actions of a trigger once for a device, whatever its policy says, as people try them. */
export const runByHand = (deps: Given): Handlers<typeof firingsContract> => ({
  runTrigger: async ({ params: { id }, body: { deviceId } }, ctx) => {
    const trigger = await findTrigger(deps.db, reachOf(ctx), id)
    if (!trigger) throw noTrigger(id)
    requireRunning(trigger)
    const own = await ctxOf(deps, ctx, trigger.org)
    requireOwnRights(own, trigger.data)
    const device = await deviceOf(deps, own, { trigger, deviceId })
    requireValues(trigger)
    const t = ctx.now.getTime()
    const firing: Firing = {
      triggerId: id,
      version: trigger.version,
      deviceId,
      deviceLabel: device.label,
      orgResourceId: device.org,
      groups: device.groups,
      instance: `${byHand}${ctx.caller.username}`,
      kind: 'fired',
      t,
      until: null,
      heardAt: t,
      isAgain: false,
      since: t,
      inputs: [],
      conditions: [],
    }
    await deps.db.transaction().execute(async (tx) => {
      const row = { trigger_id: id, payload: JSON.stringify(firing), created_at: ctx.now }
      await tx.insertInto('firing').values(row).execute()
      await recordChange(tx, ctx, {
        resource: 'triggers',
        action: 'run',
        id,
        label: trigger.name,
        organization: trigger.org,
        after: { deviceId, device: device.label },
      })
    })
    deps.state.heard.give()
    return { firedAt: t }
  },
})

function requireRunning({ disabled, stopped }: TriggerRow) {
  if (!disabled && !stopped) return
  const way = stopped ? 'Resume it first.' : 'Switch it on first.'
  throw failure(triggersContract, 'not_running', { message: `The trigger does not run. ${way}` })
}

type Asked = { trigger: TriggerRow; deviceId: string }

/** Device for which the trigger may run, and which the caller sees. */
async function deviceOf({ clients }: TriggersDeps, ctx: OrgCtx, { trigger, deviceId }: Asked) {
  const device = await placeOfDevice(clients.mappings, deviceId)
  const { org, below, device_groups: groups } = trigger
  const isOf = (one: string) => one === org || (below && one.startsWith(`${org}.`))
  const isIn = groups.length === 0 || device?.groups.some((group) => groups.includes(String(group)))
  if (device && isOf(device.org) && isIn && canInSight(ctx, 'read', device)) return device
  const message = 'deviceId is not a device of this trigger; choose one that it holds for'
  throw failure(triggersContract, 'not_found', { message, field: 'deviceId' })
}

/** Refuses actions that write the value that fired: there is none. */
function requireValues({ data }: TriggerRow) {
  const missing = actionsOf(data).flatMap((action, index) => {
    const isOpen =
      (action.type === 'WRITE' && action.value === undefined) ||
      (action.type === 'ATTRIBUTE_ACTION' && attributeOf(action.attribute).value === undefined)
    return isOpen && !action.disabled ? [placeOf(data, index)] : []
  })
  if (missing.length === 0) return
  const message = `${missing.join(', ')} writes the value that fired, and by hand there is none. Give it a fixed value, or switch it off.`
  throw failure(triggersContract, 'value_needed', { message, places: missing })
}
