import type { QueryExecutorProvider } from 'kysely'
import { createAttempts } from './attempts.ts'
import { actorOf, auditRecorded, type AuditRecord } from './audit-trail.ts'
import type { AppError } from './errors.ts'
import { publish } from './events.ts'
import { networkOf } from './network-of.ts'
import type { CallerCtx } from './service.ts'

const usualWindowMs = 10_000
const most = 5_000

type Refused = Pick<AuditRecord, 'call' | 'resource' | 'action' | 'id' | 'organization'>
/**
 * Separate audit entries for refusals of one caller in a minute; the rest of a window is one entry
 * with a count.
 */
const linesPerMinute = { person: 60, stranger: 5 }

type Held = { record: AuditRecord; more: number }

/** Refusal check: the caller tried what they may not do, as opposed to a malformed request. */
export const isRefusal = ({ status, code }: AppError) =>
  status === 403 || status === 401 || code === 'auth.no_such_organization'

/**
 * Recorder of refused attempts in the audit trail. The first is written at once; equal ones within
 * a window become one entry with a count, so that repeated attempts cannot fill the trail.
 */
export function refusals(
  db: QueryExecutorProvider,
  onError: (error: unknown) => void,
  windowMs = usualWindowMs,
) {
  const held = new Map<string, Held>()
  const underWay = new Set<Promise<void>>()
  const write = (record: AuditRecord) => {
    const written: Promise<void> = publish(db, auditRecorded, record)
      .catch(onError)
      .finally(() => underWay.delete(written))
    underWay.add(written)
    return written
  }

  const flush = async () => {
    const waiting = [...held.values()].filter(({ more }) => more > 0)
    held.clear()
    for (const { record, more } of waiting) await write({ ...record, count: more })
  }
  const timer = setInterval(() => void flush(), windowMs)
  timer.unref()
  const lines = {
    person: createAttempts({ most: linesPerMinute.person, windowMs: 60_000 }),
    stranger: createAttempts({ most: linesPerMinute.stranger, windowMs: 60_000 }),
  }

  return {
    /** Waits until all separate entries so far are written. */
    async written() {
      await Promise.all(underWay)
    },
    note(ctx: CallerCtx, what: Refused, error: AppError) {
      const { status, code } = error
      const actor = actorOf(ctx.caller)
      // Only identity knows the realm of somebody who tries to sign in.
      const unknown = ctx.caller.kind === 'nobody' && ctx.caller.realm === ''
      const who = actor.sub || `network ${networkOf(ctx.ip)}`
      // Names given by an unknown caller are not part of the key, because the caller chooses them.
      const about = unknown ? [what.call, code] : [what.organization, what.call, what.id, code]
      const key = [who, ...about].join(' ')
      const known = held.get(key)
      if (known) return void (known.more += 1)
      const record: AuditRecord = {
        at: ctx.now,
        ...what,
        ...(unknown && { organization: '' }),
        label: '',
        outcome: 'refused',
        status,
        code,
        count: 1,
        actor,
        ip: ctx.ip,
      }
      // When too many different attempts are held, the rest of the window is counted in one entry.
      if (held.size >= most) return void (last(held).more += 1)
      const given = unknown ? lines.stranger : lines.person
      if (given.waitS(who, ctx.now) > 0) {
        const rest = held.get(who) ?? { record, more: 0 }
        return void held.set(who, { ...rest, more: rest.more + 1 })
      }
      given.failed(who, ctx.now)
      held.set(key, { record, more: 0 })
      void write(record)
    },
    async close() {
      clearInterval(timer)
      await flush()
      await Promise.all(underWay)
    },
  }
}
export type Refusals = ReturnType<typeof refusals>

const last = (held: Map<string, Held>) => [...held.values()].at(-1) as Held // it is full
