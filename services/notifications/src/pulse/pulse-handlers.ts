import { can } from '@longreach/authorization/can'
import { isPulseStill, pulseStillMs, type PulsePassed } from '@longreach/alarms/pulse-contract'
import { createAttempts } from '@longreach/kit/attempts'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { pulseContract } from './contract.ts'
import { isPulseNew, passedMessage } from './pulse-store.ts'
import { callWatcher, sealWatcher, watcherCaller } from './watcher-call.ts'
import { deleteWatcher, saveWatcher, watcherOf, type WatcherRow } from './watcher-store.ts'

type Deps = NotificationsDeps & { state: { tests: ReturnType<typeof createAttempts> } }

/** Tests of a watcher in a minute. */
const testLimit = { most: 5, windowMs: 60_000 }
export const createWatcherTests = () => ({ tests: createAttempts(testLimit) })

export function pulseHandlers(deps: Deps): Handlers<typeof pulseContract> {
  const { db } = deps
  return {
    pulse: async (_, ctx) => {
      const message = await passedMessage(db)
      const common = { now: ctx.now.getTime(), t: message?.t ?? null, stations: null }
      if (!isRoot(ctx) || !can(ctx.capability, 'notifications', 'read')) {
        return { ...common, state: await stateOf(deps, message), watcher: null }
      }
      const row = await watcherOf(db, ctx.organization.resourceId)
      const watcher = row && passedWatcher(row)
      const alarm = await readAlarmStation(deps)
      return {
        ...common,
        state: await stateOf(deps, lastPassed(message, row)),
        t: lastPassed(message, row)?.t ?? null,
        stations: {
          alarm: alarm ?? null,
          isAlarmKnown: alarm !== undefined,
          message: message ?? null,
          watcher: watcher ?? null,
        },
        watcher: row ? toWatcher(row) : null,
      }
    },

    pulseAlive: async () => {
      const message = await passedMessage(db)
      const state = await stateOf(deps, message)
      if (state !== 'still') return { state, t: message?.t ?? null }
      const since = message
        ? `since ${new Date(message.t).toISOString()}`
        : 'since the installation'
      const text = `No value has become a message ${since}. The stations are in the portal, at Notifications.`
      throw failure(notificationsContract, 'pulse_still', { message: text, t: message?.t ?? null })
    },

    setPulseWatcher: async ({ body }, ctx) => toWatcher(await keepWatcher(deps, ctx, body)),

    deletePulseWatcher: async (_, ctx) => {
      const org = rootOf(ctx)
      await db.transaction().execute(async (tx) => {
        const row = await deleteWatcher(tx, org)
        if (!row) throw noWatcher()
        await recordChange(tx, ctx, { ...changeOf('delete', org), before: shownIn(row) })
      })
    },

    testPulseWatcher: async (_, ctx) => {
      const org = rootOf(ctx)
      const row = await watcherOf(db, org)
      if (!row) throw noWatcher()
      const waitS = deps.state.tests.waitS(org, ctx.now)
      if (waitS > 0) {
        const message = `The watcher is tested at most ${testLimit.most} times a minute. Try again in ${waitS} s.`
        throw failure(notificationsContract, 'test_limit', { message, retryAfterS: waitS })
      }
      deps.state.tests.failed(org, ctx.now)
      const end = await callWatcher(deps, row)
      return { ok: end.kind === 'sent', answer: end.answer, ms: end.ms }
    },
  }
}

type Body = { url?: string | undefined; method: 'GET' | 'POST' }

/** Keeps the watcher of a root organization; of two at once the later one stays. */
async function keepWatcher({ db, secrets, site }: Deps, ctx: OrgCtx, { url, method }: Body) {
  const org = rootOf(ctx)
  const refusal = url === undefined ? undefined : watcherCaller({ site }).refusalOf({ url })
  if (refusal) {
    const { reason, message } = refusal
    throw failure(notificationsContract, 'address_refused', { field: 'url', reason, message })
  }
  return db.transaction().execute(async (tx) => {
    await holdLock(tx, 'notifications.watcher', org)
    const before = await watcherOf(tx, org)
    const address =
      url === undefined
        ? before && { host: before.host, sealed: before.sealed }
        : { host: new URL(url).host, sealed: sealWatcher(secrets, org, url) }
    if (!address) {
      const message = 'url is missing: give the address that the watcher expects to be called at'
      throw failure(notificationsContract, 'secret_missing', { field: 'url', message })
    }
    const by = { updated_at: ctx.now, updated_by: ctx.caller.username }
    const row = await saveWatcher(tx, { org, method, ...address, ...by })
    await recordChange(tx, ctx, {
      ...changeOf(before ? 'update' : 'create', org),
      ...(before && { before: shownIn(before) }),
      after: shownIn(row),
    })
    return row
  })
}

const changeOf = (action: string, org: string) => ({
  resource: 'notifications',
  action,
  id: org,
  label: 'Pulse',
  organization: org,
})
/** Settings of a watcher as the audit trail shows them: its address is secret. */
const shownIn = ({ host, method }: WatcherRow) => ({ watcher: host, method })

const isRoot = ({ organization }: OrgCtx) => !organization.resourceId.includes('.')

/** Root organization of a call; another one has no watcher. */
function rootOf(ctx: OrgCtx) {
  if (isRoot(ctx)) return ctx.organization.resourceId
  const message = 'The pulse belongs to the root organization. Switch to it to change its watcher.'
  throw failure(notificationsContract, 'not_found', { message })
}

const noWatcher = () =>
  failure(notificationsContract, 'not_found', {
    message: 'There is no watcher here. Set one first.',
  })

async function stateOf({ db, now }: Deps, passed: Pick<PulsePassed, 't'> | undefined) {
  if (passed) return isPulseStill(passed, now().getTime()) ? 'still' : 'works'
  return (await isPulseNew(db, now())) ? 'new' : 'still'
}

const passedWatcher = ({ t, at }: WatcherRow) =>
  t && at ? { t: t.getTime(), at: at.getTime() } : undefined

/** Newest beat that passed the last station; a watcher that was set lately had no beat yet. */
function lastPassed(message: PulsePassed | undefined, row: WatcherRow | undefined) {
  if (!row || !message) return message
  const t = row.t?.getTime() ?? row.updated_at.getTime()
  const isAwaited = row.t === null && message.t - t <= pulseStillMs
  return isAwaited || t > message.t ? message : { t }
}

/** Newest beat that became an alarm; undefined when alarms does not answer. */
async function readAlarmStation({ clients, log }: Deps) {
  try {
    return (await clients.alarms.pulseAlarm({})).alarm
  } catch (error) {
    // The page that shows where the pulse stands still must be there when a service is away.
    log.warn(error, 'alarms could not be asked for the pulse')
    return undefined
  }
}

const toWatcher = (row: WatcherRow) => ({
  method: row.method,
  host: row.host,
  updatedAt: row.updated_at.getTime(),
  updatedBy: row.updated_by,
  answer: row.answer,
  calledAt: row.called_at?.getTime() ?? null,
  ok: row.ok,
})
