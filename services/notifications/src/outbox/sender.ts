import { type Interval, startRounds } from '@longreach/kit/rounds'
import type { DeliveryRow } from '../database.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { Send, Sending, Sent } from './sending.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { pulseNotification } from '../pulse-rule.ts'
import { notePulseEnd } from '../pulse/pulse-store.ts'
import { tellEnd } from '../outgoing/prepared-end.ts'
import { nextAttemptAt } from './attempt-rules.ts'
import { type ClaimedReads, readClaimed } from './claimed-reads.ts'
import { claimDeliveries, type End, endAttempt, postpone } from './delivery-store.ts'
import { createEndWriter } from './end-writer.ts'
import { createHostLoad } from './host-load.ts'
import { tellOwner } from './tell-owner.ts'

/** Deliveries under way in this process, and to one host. */
const atOnce = 50
const perHost = 4
/** Deliveries that are claimed before there is a place for them, so that no place waits for a claim. */
const ahead = 100
/** Attempts that take longer do not count any more, up to so many: servers that hang hold up no others. */
const slowMs = 1_000
const mostUnderWay = 250
/** Milliseconds in which deliveries end together, before others are claimed. */
const gatherMs = 5

type Deps = Pick<
  NotificationsDeps,
  'db' | 'clients' | 'now' | 'log' | 'admit' | 'secrets' | 'site'
> & {
  send: Send
}

/** Start to send what is due: looked for every second, whenever a delivery has ended, and when `soon` asks for it. */
export function startSender(deps: Deps) {
  const { db, now, log } = deps
  const hosts = createHostLoad(perHost)
  const writeEnd = createEndWriter(db)
  const running = new Set<Promise<void>>()
  const ready: Claimed[] = []
  let quick = 0
  let isClosed = false

  const round = async () => {
    for (;;) {
      const places = Math.min(atOnce + ahead - quick, mostUnderWay - running.size)
      const most = places - ready.length
      if (isClosed || most <= 0) return
      const busy = hosts.busy()
      const claimed = await claimDeliveries(db, { now: now(), most, perHost, busy })
      if (claimed.length === 0) return
      const reads = await readClaimed(deps, claimed)
      for (const delivery of claimed) {
        hosts.began(delivery.host)
        ready.push({ delivery, reads })
      }
      beginReady()
    }
  }
  const beginReady = () => {
    while (!isClosed && quick < atOnce) {
      const next = ready.shift()
      if (!next) return
      begin(next)
    }
  }
  const begin = (claimed: Claimed) => {
    const { host } = claimed.delivery
    let isCounted = !hosts.isSlow(host)
    if (isCounted) quick += 1
    const giveBack = () => {
      if (isCounted) quick -= 1
      isCounted = false
      beginReady()
      rounds.soon()
    }
    let isQuick = true
    const slow = setTimeout(() => {
      isQuick = false
      hosts.slowed(host)
      giveBack()
    }, slowMs)
    // Another delivery may begin while the result of this one is stored.
    const sent = () => {
      clearTimeout(slow)
      hosts.ended(host, isQuick)
      giveBack()
    }
    const one = attempt({ ...deps, writeEnd, sent }, claimed)
      .catch((error: unknown) => log.error(error, 'a delivery failed; it is tried again'))
      .then(() => {
        running.delete(one)
        rounds.soon()
      })
    running.add(one)
  }
  const between = deps.site.secondMs ?? 'second'
  const rounds = roundsOf(between, round, (error) =>
    log.warn(error, 'waiting deliveries could not be read'),
  )
  return {
    soon: () => {
      if (!isClosed) rounds.soon()
    },
    async close() {
      isClosed = true
      await rounds.close()
      // Those that did not begin are due as before.
      for (const { delivery } of ready) await postpone(db, delivery, delivery.next_at, now())
      await Promise.all(running)
      deps.send.close()
    },
  }
}
type Claimed = { delivery: DeliveryRow; reads: ClaimedReads }

/** Rounds every second and at once when asked for, never two at a time. */
function roundsOf(
  between: Interval | number,
  round: () => Promise<void>,
  failed: (error: unknown) => void,
) {
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
    present ??= pause(gatherMs)
      .then(run)
      .catch(failed)
      .finally(() => (present = undefined))
    return present
  }
  const timer = startRounds(between, soon, failed)
  return {
    soon: () => void soon(),
    async close() {
      await timer.close()
      await present
    },
  }
}

type Attempting = Deps & { writeEnd: ReturnType<typeof createEndWriter>; sent: () => void }

/** One attempt of a claimed delivery, with its result written. */
async function attempt(deps: Attempting, { delivery, reads }: Claimed) {
  const { db, now } = deps
  const message = reads.message(delivery.message_id)
  if (!message) return deps.sent()
  const begun = performance.now()
  const result = await sendSafely(deps, { delivery, message, reads })
  deps.sent()
  const ms = Math.round(performance.now() - begun)
  if (result.kind === 'later') return void (await postpone(db, delivery, result.at, now()))
  const end = { ...endOf(delivery, result, now()), ms }
  const isPulse = message.notification_id === pulseNotification
  const ends = isPulse ? endOfPulse : message.kind === 'trigger' ? endOfTrigger : undefined
  const isOwn = await (ends ? ends(deps, delivery, end) : deps.writeEnd(delivery, end, now()))
  if (isOwn && end.state === 'FAILED' && !isPulse) {
    await tellOwner(deps, { ...delivery, answer: end.answer }, message)
  }
}

/** Result of a message of a trigger, which is told to the service that asked for it in the same transaction. */
const endOfTrigger = (
  { db, now }: Deps,
  delivery: DeliveryRow,
  end: End & { ms: number },
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const isWritten = (await endAttempt(tx, delivery, end, now())) !== undefined
    if (isWritten) await tellEnd(tx, delivery, end)
    return isWritten
  })

/** Result of a message of the pulse, whose station keeps it in the same transaction. */
const endOfPulse = (
  { db, now }: Deps,
  delivery: DeliveryRow,
  end: End & { ms: number },
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const isWritten = (await endAttempt(tx, delivery, end, now())) !== undefined
    const isSent = end.state === 'SENT'
    if (isWritten) await notePulseEnd(tx, delivery, { isSent, answer: end.answer ?? '', at: now() })
    return isWritten
  })

/** Result of an attempt; an error of this program counts as a failure that may pass. */
async function sendSafely(deps: Deps, sending: Sending): Promise<Sent> {
  try {
    return await deps.send.one(sending)
  } catch (error) {
    deps.log.error(error, 'a message could not be written or sent')
    const answer = `Internal error: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'failed', answer, isFinal: false, mayArrive: false }
  }
}

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
