import { reachOf } from '@longreach/authorization/reach'
import type { Handlers } from '@longreach/kit/service'
import type { TriggersDeps } from '../deps.ts'
import { noTrigger } from '../no-trigger.ts'
import { PostedTrigger, type savingContract } from './contract.ts'
import { loopOf } from './loop-rules.ts'
import { openSecrets } from './sealed-secrets.ts'
import { withoutSecrets } from './secret-rules.ts'
import { checkTrigger } from './trigger-check.ts'
import { toRow, withUuids } from './trigger-row.ts'
import { findTrigger, triggersAround } from './trigger-store.ts'

/** Faults of a trigger that is being written. */
export const validateTrigger =
  (deps: TriggersDeps): Handlers<typeof savingContract>['validateTrigger'] =>
  async ({ body: { id, trigger } }, ctx) => {
    const found = id === undefined ? undefined : await findTrigger(deps.db, reachOf(ctx), id)
    if (id !== undefined && !found) throw noTrigger(id)
    const read = PostedTrigger.safeParse(trigger)
    if (!read.success) {
      const issues = read.error.issues.slice(0, 50).map(({ path, code, message }) => ({
        place: path.join('.').replace(/^triggerData\./, ''),
        code,
        params: {},
        message,
      }))
      return { ok: false, issues, loop: [] }
    }
    const before = found ? openSecrets(deps.secrets, found) : {}
    const split = withoutSecrets(withUuids(read.data.triggerData), before)
    const { deviceGroups } = read.data
    const { issues } = await checkTrigger(deps, ctx, { ...split, deviceGroups })
    const row = toRow(deps, ctx, { body: read.data, ...split, before: found })
    const isGood = issues.length === 0
    const loop = isGood ? (loopOf(row, await triggersAround(deps.db, row.org)) ?? []) : []
    return { ok: isGood && loop.length === 0, issues, loop }
  }
