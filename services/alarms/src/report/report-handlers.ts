import { isTimezone } from '@longreach/calendar/zone-offset'
import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { withBelow } from '../search/scoped-context.ts'
import { visibleTo } from '../search/visible.ts'
import type { reportContract } from './contract.ts'
import { countsWithin, figuresOf, mostInTenMinutes } from './figure-rules.ts'
import {
  type Asked,
  countSources,
  countTimes,
  lengthsOfRules,
  longAlarms,
  type TimeCount,
} from './report-store.ts'
import { hoursWithin, type Shift, shiftsInOrder, shiftsWithin } from './shift-times.ts'

type Query = z.output<typeof reportContract.endpoints.report.query>
type Report = z.input<typeof reportContract.endpoints.report.result>

const dayMs = 86_400_000
const mostDays = 400

/** Report on the alarms of a time that the caller may see. */
export const report =
  ({ db }: Pick<AlarmsDeps, 'db'>) =>
  async ({ query }: { query: Query }, asking: OrgCtx): Promise<Report> => {
    checkQuery(query)
    const ctx = withBelow(asking, query.below)
    const { from, to, zone } = query
    const until = Math.min(to, ctx.now.getTime())
    const asked = { from, to, rows: (await visibleTo(db, ctx)).rows }
    const begins = shiftsInOrder(query.shifts)
    const shifts = shiftsWithin(begins, zone, { from, to })
    const [times, sources, standing, stale] = await Promise.all([
      withMemory(db, (tx) => countTimes(tx, asked, shifts)),
      withMemory(db, (tx) => badActors(tx, asked)),
      longAlarms(db, asked, until, 'standing'),
      longAlarms(db, asked, until, 'stale'),
    ])
    return {
      from,
      to,
      ...byTime({ times, begins, shifts, from, to, until }),
      ...sources,
      standing: longOf(standing),
      stale: longOf(stale),
    }
  }

/** A million raises are counted in memory: with what a query has otherwise they go through files. */
const withMemory = <T>(db: Kysely<AlarmsDb>, read: (tx: Kysely<AlarmsDb>) => Promise<T>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '32MB'`.execute(tx)
    return read(tx)
  })

function checkQuery({ from, to, zone }: Query) {
  const bad = (field: string, message: string) =>
    failure(alarmsContract, 'bad_report', { field, message })
  if (!(from < to)) throw bad('from', 'from has to be before to, both in ms since 1970')
  const isTime = Math.abs(from) < 8e15 && Math.abs(to) < 8e15
  if (!isTime) throw bad('to', 'from and to are ms since 1970')
  if (to - from > mostDays * dayMs) throw bad('to', `a report is of ${mostDays} days at most`)
  if (!isTimezone(zone))
    throw bad('zone', `${zone} is no time zone; write one such as Europe/Berlin`)
}

type Times = {
  times: readonly TimeCount[]
  begins: readonly string[]
  shifts: readonly Shift[]
  from: number
  to: number
  /** End of what has passed. */
  until: number
}

function byTime({ times, begins, shifts, from, to, until }: Times) {
  const minutes = times.flatMap(({ minute, count }) => (minute === null ? [] : [{ minute, count }]))
  const acknowledged = times.flatMap(({ shift, severity, step, count }) =>
    shift === null || severity === null
      ? []
      : [{ kind: shifts[shift]?.kind, severity, step, count }],
  )
  const passed = <T extends { from: number; to: number }>(spans: readonly T[]) =>
    spans.flatMap((span) => (span.from < until ? [{ ...span, to: Math.min(span.to, until) }] : []))
  const columns = to - from > 3 * dayMs ? shifts : hoursWithin({ from, to })
  return {
    whole: figuresOf({ spans: passed([{ from, to }]), minutes, acknowledged }),
    shifts: begins.map((text, kind) => ({
      begins: text,
      ends: begins[(kind + 1) % begins.length] ?? text,
      ...figuresOf({
        spans: passed(shifts.filter((shift) => shift.kind === kind)),
        minutes,
        acknowledged: acknowledged.filter((one) => one.kind === kind),
      }),
    })),
    course: passed(columns).map((span) => {
      const within = countsWithin(span, minutes)
      const alarms = within.reduce((sum, { count }) => sum + count, 0)
      return { from: span.from, to: span.to, alarms, mostInTenMinutes: mostInTenMinutes(within) }
    }),
  }
}

async function badActors(db: Kysely<AlarmsDb>, asked: Asked) {
  const found = await countSources(db, asked)
  const ids = found.rules.flatMap(({ rule_id }) => (rule_id === null ? [] : [rule_id]))
  const lengths = await lengthsOfRules(db, asked, ids)
  const ofWorst = found.worst.reduce((sum, { count }) => sum + count, 0)
  return {
    sources: found.sources,
    chattering: found.chattering,
    worstShare: found.total > 0 ? ofWorst / found.total : null,
    worst: found.worst.map(({ device_id, rule_id, device, name, count, chattered }) => ({
      deviceId: device_id,
      ruleId: rule_id,
      device,
      name,
      count,
      chattered,
    })),
    rules: found.rules.map(({ rule_id, name, count, chattered }) => {
      const known = lengths.find((one) => one.rule_id === rule_id)
      return {
        ruleId: rule_id,
        name,
        count,
        chattered,
        lastedMedianS: known?.median ?? null,
        lasted80S: known?.most80 ?? null,
        beyond90: known?.beyond90 ?? null,
        devices: (known?.devices ?? []).map((one) => ({
          deviceId: one.device_id,
          count: one.count,
        })),
      }
    }),
    devices: found.devices.map(({ device_id, device, count, most_often }) => ({
      deviceId: device_id,
      device,
      count,
      mostOften: most_often,
    })),
  }
}

type Long = Awaited<ReturnType<typeof longAlarms>>

const longOf = ({ count, rows }: Long) => ({
  count,
  longest: rows.map(({ id, device_id, device, name, start_t }) => ({
    id,
    deviceId: device_id,
    device,
    name,
    since: start_t.getTime(),
  })),
})
