import { randomUUID } from 'node:crypto'
import type { Admission } from '@longreach/authorization/admission'
import type { Kysely } from 'kysely'
import { count, runsThisMinute } from '../counter-store.ts'
import type { ChainLink, Stopped, TriggerRow, TriggersDb } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import { insertRun, type NewRun } from '../runs/run-store.ts'
import { actionsOf } from '../saving/action-rules.ts'
import { blockedTypes } from '../saving/blocked-store.ts'
import { openSecrets } from '../saving/sealed-secrets.ts'
import { stopTrigger } from '../saving/trigger-store.ts'
import type { Firing } from '../firing-contract.ts'
import { isKnown, isLate, shortChain, stopOf, withTime } from './firing-rules.ts'
import {
  chainBefore,
  findFired,
  mostTries,
  putBack,
  saveFired,
  takeFirings,
  throttlesOf,
} from './firing-store.ts'
import { dayIn, outcomeOf, type Planned, planActions } from './plan-rules.ts'
import { mayAct, maySee } from './right-rules.ts'
import { plannedActions } from './planned-actions.ts'

type Db = Kysely<TriggersDb>
type Deps = Pick<TriggersDeps, 'db' | 'now' | 'log' | 'admit' | 'secrets'>

/** Firings that one transaction judges. */
const atOnce = 200

/** Judges the firings that wait, those of one trigger in their order; `done` is called after each trigger. */
export async function judgeFirings(deps: Deps, done: () => void) {
  for (;;) {
    const waiting = await deps.db
      .selectFrom('firing')
      .select('trigger_id')
      .distinct()
      .where('tries', '<', mostTries)
      .limit(100)
      .execute()
    let isAny = false
    for (const { trigger_id: id } of waiting) {
      if (!(await judgeSafely(deps, id))) continue
      isAny = true
      done()
    }
    if (!isAny) return
  }
}

/** Judges firings of one trigger; one that fails is tried again alone, so that it holds up no others. */
async function judgeSafely(deps: Deps, id: string): Promise<boolean> {
  try {
    return await judgeTrigger(deps, id, atOnce)
  } catch (error) {
    deps.log.warn({ err: error, trigger: id }, 'firings of a trigger are judged one by one')
  }
  try {
    return await judgeTrigger(deps, id, 1)
  } catch (error) {
    deps.log.error({ err: error, trigger: id }, 'a firing of a trigger could not be judged')
    await putBack(deps.db, id)
    return false
  }
}

async function judgeTrigger(deps: Deps, id: string, most: number) {
  const { db, now } = deps
  const known = await db.selectFrom('trigger').selectAll().where('id', '=', id).executeTakeFirst()
  if (!known) return false
  const owner = { sub: known.owner, username: known.owner_name, realm: known.owner_realm }
  const admission = await deps.admit({ kind: 'user', ...owner }, known.org)
  return db.transaction().execute(async (tx) => {
    const trigger = await tx
      .selectFrom('trigger')
      .selectAll()
      .where('id', '=', id)
      .where('version', '=', known.version)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!trigger) return false
    const rows = await takeFirings(tx, id, most)
    if (rows.length === 0) return false
    if (trigger.stopped || trigger.disabled) return true
    const judging: Judging = {
      tx,
      deps,
      trigger,
      admission,
      blocked: await blockedTypes(tx, trigger.org),
      now: now(),
    }
    for (const { payload } of rows) {
      const isGoingOn = await judgeFiring(judging, payload)
      if (!isGoingOn) break
    }
    return true
  })
}

type Judging = {
  tx: Db
  deps: Deps
  trigger: TriggerRow
  admission: Admission | undefined
  blocked: ReadonlySet<string>
  now: Date
}

/** Judges a firing; false when the trigger was stopped by it. */
async function judgeFiring(judging: Judging, firing: Firing): Promise<boolean> {
  const { tx, trigger, admission, now } = judging
  const { deviceId, instance } = firing
  if (!admission) {
    const text = `${trigger.owner_name} is no longer a member of ${trigger.org}.`
    return stop(judging, firing, { at: now.getTime(), code: 'owner_gone', text, chain: [] })
  }
  const key = { trigger_id: trigger.id, device_id: deviceId, instance }
  const fired = await findFired(tx, key)
  if (!maySee(admission, firing)) {
    // A device that it has never run for is not the owner's; of another one the right was lost.
    if (fired?.ran !== true) return true
    const text = `${trigger.owner_name} may no longer read ${firing.deviceLabel || deviceId}.`
    return stop(judging, firing, { at: now.getTime(), code: 'right_lost', text, chain: [] })
  }
  if (firing.kind !== 'fired') return keepAlmost(judging, firing, firing.kind)
  const times = fired?.times ?? []
  if (isKnown(firing, times)) return true
  await saveFired(tx, key, withTime(times, firing.t))
  await count(tx, trigger.id, now, { in: 1 })
  if (isLate(firing)) return keepAlmost(judging, firing, 'late')
  return run(judging, firing, admission)
}

/** Keeps what does not run, and goes on. */
async function keepAlmost(judging: Judging, firing: Firing, reason: string): Promise<true> {
  await insertRun(judging.tx, { ...runOf(judging, firing, []), kind: 'almost', reason }, [])
  return true
}

/** Runs what a firing asks for; false when that would be one time too many. */
async function run(judging: Judging, firing: Firing, admission: Admission): Promise<boolean> {
  const { tx, deps, trigger, blocked, now } = judging
  const chain = await chainBefore(tx, firing)
  const actions = actionsOf(trigger.data)
  const throttles = await throttlesOf(tx, trigger.id, firing.deviceId)
  const { planned, lost } = planActions({
    actions,
    day: dayIn(trigger.data.timezone || 'UTC', now),
    now: now.getTime(),
    blocked,
    mayAct: (action) => mayAct(admission, firing, action),
    throttles,
  })
  if (lost[0]) {
    const text = `${trigger.owner_name} has no right any more for ${lost[0].type}.`
    return stop(judging, firing, { at: now.getTime(), code: 'right_lost', text, chain: [] })
  }
  const outcome = outcomeOf(planned)
  if (outcome.kind === 'acted') {
    const stopped = stopOf({
      trigger,
      deviceId: firing.deviceId,
      chain,
      runsThisMinute: await runsThisMinute(tx, trigger.id, now),
      now: now.getTime(),
    })
    if (stopped) return stop(judging, firing, stopped, chain)
    await noteRun(judging, firing, planned)
  }
  const isThrottled = outcome.reason === 'throttled'
  await count(tx, trigger.id, now, {
    ...(outcome.kind === 'acted' && { out: 1 }),
    ...(isThrottled && { throttled: 1 }),
  })
  const newRun = { ...runOf(judging, firing, chain), ...outcome, done: outcome.kind !== 'acted' }
  const secrets = openSecrets(deps.secrets, trigger)
  await insertRun(tx, newRun, plannedActions(deps, { planned, firing, trigger, secrets, now }))
  return true
}

/** Notes that a trigger runs: its time, the device, and what its actions throttle from now on. */
async function noteRun({ tx, trigger, now }: Judging, firing: Firing, planned: readonly Planned[]) {
  const { deviceId: device_id, instance } = firing
  await tx.updateTable('trigger').set({ last_run_at: now }).where('id', '=', trigger.id).execute()
  await tx
    .updateTable('fired')
    .set({ ran: true })
    .where('trigger_id', '=', trigger.id)
    .where('device_id', '=', device_id)
    .where('instance', '=', instance)
    .execute()
  const begun = planned.filter(({ state }) => state === 'WAITING').map(({ action }) => action)
  for (const { uuid = '', throttlingIntervalInMSec: interval } of begun) {
    if (!interval) continue
    const until = new Date(now.getTime() + interval)
    await tx
      .insertInto('throttle')
      .values({ trigger_id: trigger.id, action: uuid, device_id, until })
      .onConflict((conflict) =>
        conflict.columns(['trigger_id', 'action', 'device_id']).doUpdateSet({ until }),
      )
      .execute()
  }
}

/** Stops the trigger: the run is kept, and its owner is told. */
async function stop(
  judging: Judging,
  firing: Firing,
  stopped: Stopped,
  chain: readonly ChainLink[] = [],
): Promise<false> {
  const { tx, trigger, now } = judging
  const { code, text } = stopped
  const reason = code === 'right_lost' || code === 'owner_gone' ? code : ('stopped' as const)
  await insertRun(tx, { ...runOf(judging, firing, chain), kind: 'failed', reason, text }, [])
  await stopTrigger(tx, trigger, stopped)
  if (code !== 'owner_gone') {
    await tx
      .insertInto('owner_note')
      .values({
        id: randomUUID(),
        trigger_id: trigger.id,
        org: trigger.org,
        sub: trigger.owner,
        code,
        name: trigger.name,
        chain: shortChain(stopped.chain, trigger.name),
        due_at: now,
      })
      .execute()
  }
  return false
}

/** Run of a firing before it is known what becomes of it. */
function runOf({ trigger, now }: Judging, firing: Firing, chain: readonly ChainLink[]): NewRun {
  return {
    id: randomUUID(),
    trigger,
    firing,
    at: now,
    kind: 'almost',
    reason: 'fired',
    text: '',
    done: true,
    chain: [...chain],
  }
}
