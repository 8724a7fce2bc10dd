import { startRounds } from '@longreach/kit/rounds'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { Send, Sent } from './sending.ts'
import { pulseNotification } from '../pulse-rule.ts'
import { notePulseEnd } from '../pulse/pulse-store.ts'
import { tellEnd } from '../outgoing/prepared-end.ts'
import { nextAttemptAt } from './attempt-rules.ts'
import { claimDeliveries, endAttempt, findMessage, postpone } from './delivery-store.ts'
import { tellOwner } from './tell-owner.ts'

/** Deliveries under way in this process, and to one host. */
const atOnce = 50
const perHost = 4
/** Attempts that take longer do not count any more, up to so many: servers that hang hold up no others. */
const slowMs = 1_000
const mostUnderWay = 250

type Deps = Pick<NotificationsDeps, 'db' | 'clients' | 'now' | 'log'> & { send: Send }

/** Start to send what is due: looked for every second, and whenever a delivery has ended. */
export function startSender(deps: Deps) {
  const busy = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let quick = 0
  let isClosed = false

  const round = async () => {
    for (;;) {
      const most = Math.min(atOnce - quick, mostUnderWay - running.size)
      if (isClosed || most <= 0) return
      const claimed = await claimDeliveries(deps.db, { now: deps.now(), most, perHost, busy })
      for (const delivery of claimed) begin(delivery)
      if (claimed.length === 0) return
    }
  }
  const begin = (delivery: DeliveryRow) => {
    const { host } = delivery
    busy.set(host, (busy.get(host) ?? 0) + 1)
    quick += 1
    const slow = setTimeout(() => giveBack(), slowMs)
    let isCounted = true
    const giveBack = () => {
      if (!isCounted) return
      isCounted = false
      quick -= 1
      rounds.soon()
    }
    const one = attempt(deps, delivery)
      .catch((error: unknown) => deps.log.error(error, 'a delivery failed; it is tried again'))
      .then(() => {
        const left = (busy.get(host) ?? 1) - 1
        if (left === 0) busy.delete(host)
        else busy.set(host, left)
        running.delete(one)
        clearTimeout(slow)
        giveBack()
        rounds.soon()
      })
    running.add(one)
  }
  const rounds = roundsOf(round, (error) =>
    deps.log.warn(error, 'waiting deliveries could not be read'),
  )
  return {
    async close() {
      isClosed = true
      await rounds.close()
      await Promise.all(running)
      deps.send.close()
    },
  }
}

/** Rounds every second and at once when asked for, never two at a time. */
function roundsOf(round: () => Promise<void>, failed: (error: unknown) => void) {
  let present: Promise<void> | undefined
  let isAsked = false
  const run = async () => {
    do {
      isAsked = false
      await round()
    } while (isAsked)
  }
  const soon = () => {
    isAsked = true
    present ??= run()
      .catch(failed)
      .finally(() => (present = undefined))
    return present
  }
  const timer = startRounds('second', soon, failed)
  return {
    soon: () => void soon(),
    async close() {
      await timer.close()
      await present
    },
  }
}

/** One attempt of a claimed delivery, with its result written. */
async function attempt(deps: Deps, delivery: DeliveryRow) {
  const { db, now } = deps
  const message = await findMessage(db, delivery.message_id)
  if (!message) return
  const begun = performance.now()
  const result = await sendSafely(deps, delivery, message)
  const ms = Math.round(performance.now() - begun)
  if (result.kind === 'later') return void (await postpone(db, delivery, result.at, now()))
  const end = { ...endOf(delivery, result, now()), ms }
  const isPulse = message.notification_id === pulseNotification
  const isOwn = await db.transaction().execute(async (tx) => {
    const isWritten = await endAttempt(tx, delivery, end, now())
    if (isWritten && message.kind === 'trigger') await tellEnd(tx, delivery, end)
    if (isWritten && isPulse) {
      const isSent = end.state === 'SENT'
      await notePulseEnd(tx, delivery, { isSent, answer: end.answer ?? '', at: now() })
    }
    return isWritten
  })
  if (isOwn && end.state === 'FAILED' && !isPulse) {
    await tellOwner(deps, { ...delivery, answer: end.answer }, message)
  }
}

/** Result of an attempt; an error of this program counts as a failure that may pass. */
async function sendSafely(deps: Deps, delivery: DeliveryRow, message: Message): Promise<Sent> {
  try {
    return await deps.send.one(delivery, message)
  } catch (error) {
    deps.log.error(error, 'a message could not be written or sent')
    const answer = `Internal error: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'failed', answer, isFinal: false, mayArrive: false }
  }
}
type Message = Parameters<Send['one']>[1]

const longestAnswer = 4_000

function endOf(delivery: DeliveryRow, result: Exclude<Sent, { kind: 'later' }>, now: Date) {
  if (result.kind === 'dropped') return { state: 'DROPPED' as const, gate: result.gate }
  const answer = result.answer.slice(0, longestAnswer)
  if (result.kind === 'sent') return { state: 'SENT' as const, answer }
  const { attempt: made, until } = delivery
  const { retryAfterMs } = result
  const next = nextAttemptAt({ attempt: made, now, until, retryAfterMs, random: Math.random() })
  const repeated = delivery.repeated || result.mayArrive
  if (result.isFinal || !next) return { state: 'FAILED' as const, answer, repeated }
  return { state: 'WAITING' as const, answer, repeated, next_at: next }
}
