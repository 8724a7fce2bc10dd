import { reachOf } from '@longreach/authorization/reach'
import { createAttempts } from '@longreach/kit/attempts'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { Reply } from '@longreach/kit/reply'
import type { Handlers } from '@longreach/kit/service'
import { createHash, randomBytes } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import { words } from '../texts/words.ts'
import { toCalendar } from './calendar-rules.ts'
import type { schedulesContract } from './contract.ts'
import { compileOnCall } from './on-call-rules.ts'
import { lockSchedule, scheduleOfCalendar, setCalendar } from './schedule-store.ts'

type Attempts = ReturnType<typeof createAttempts>
type Deps = NotificationsDeps & { state: { wrong: Attempts; reads: Attempts } }
type Calls = Pick<
  Handlers<typeof schedulesContract>,
  'makeCalendar' | 'revokeCalendar' | 'calendar'
>

const dayMs = 86_400_000
/** Days of a calendar before and after the present. */
const shown = { before: 14, after: 90 }

/** Wrong addresses from a network address in ten minutes, and readings of one calendar in a minute. */
export const createCalendarCounts = () => ({
  wrong: createAttempts({ most: 30, windowMs: 600_000 }),
  reads: createAttempts({ most: 30, windowMs: 60_000 }),
})

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Calls about the secret address of a calendar. */
export function calendarHandlers(deps: Deps): Calls {
  const { db, site, state } = deps
  const keep =
    (hash: string | null): Calls['revokeCalendar'] =>
    async ({ params: { id } }, ctx) => {
      await db.transaction().execute(async (tx) => {
        const row = await lockSchedule(tx, reachOf(ctx), id)
        if (!row) throw noCalendar(`There is no schedule ${id} here`)
        await setCalendar(tx, id, hash)
        await recordChange(tx, ctx, {
          resource: 'notifications',
          action: 'update',
          id,
          label: row.name,
          organization: row.org,
          before: { calendar: row.calendar_hash !== null },
          after: { calendar: hash !== null },
        })
      })
    }
  return {
    makeCalendar: async ({ params }, ctx) => {
      const secret = randomBytes(32).toString('base64url')
      await keep(hashOf(secret))({ params, query: {} }, ctx)
      return { url: `${site.origin}${notificationsContract.base}/schedules/calendar/${secret}.ics` }
    },

    revokeCalendar: keep(null),

    calendar: async ({ params: { file }, query: { language } }, { ip, now }) => {
      checkLimit(state.wrong, ip, now)
      const [, secret] = /^([A-Za-z0-9_-]{43})\.ics$/.exec(file) ?? []
      const row = secret === undefined ? undefined : await scheduleOfCalendar(db, hashOf(secret))
      if (!row || !(await isOpen(deps, row.org))) {
        state.wrong.failed(ip, now)
        throw noCalendar('There is no calendar at this address. Ask for a new one.')
      }
      checkLimit(state.reads, row.id, now)
      state.reads.failed(row.id, now)
      const at = now.getTime()
      const { turnsBetween } = compileOnCall(row.settings)
      const text = toCalendar({
        id: row.id,
        name: row.name,
        turns: turnsBetween(at - shown.before * dayMs, at + shown.after * dayMs),
        changedAt: row.updated_at.getTime(),
        nobody: words[language].nobodyOnCall,
      })
      const headers = {
        'content-type': 'text/calendar; charset=utf-8',
        'cache-control': 'private, no-store',
        'content-disposition': 'inline; filename="on-call.ics"',
      }
      return new Reply(200, headers, text)
    },
  }
}

function checkLimit(attempts: Attempts, key: string, now: Date) {
  const waitS = attempts.waitS(key, now)
  if (waitS === 0) return
  const message = `This address was called too often. Try again in ${waitS} s.`
  throw failure(notificationsContract, 'calendar_limit', { message, retryAfterS: waitS })
}

/** False while the organization is deleted. */
async function isOpen({ clients }: Pick<NotificationsDeps, 'clients'>, organization: string) {
  const body = { organization, people: [], groups: [] }
  return (await clients.core.recipients({ body })).organization !== null
}

const noCalendar = (message: string) => failure(notificationsContract, 'not_found', { message })
