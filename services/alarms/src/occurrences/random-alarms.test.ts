import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import fc from 'fast-check'
import { occurrencesOf } from '@longreach/rules/occurrences'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { alarmsContract } from '../contract.ts'
import type { OccurrenceRow } from '../database.ts'
import { endDueShelves } from '../shelves/shelf-times.ts'
import { isOpen } from './occurrence.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
let clock = Date.UTC(2026, 0, 5)
beforeAll(async () => {
  server = await testAlarms(() => new Date((clock += 1_000)))
  ann = server.member('ann', 'exor')
})
afterAll(() => server.close())

const start = Date.UTC(2026, 0, 1)
const query = {}
const words = { value: 231, limit: 230, values: {} }

type Report = { name: number; since: number; at: number; state: number; certificate: string }
type Action = { action: 'ack' | 'reset' | 'clear' | 'ackAll' | 'take'; pick: number }
type Rule = {
  kind: 'raise' | 'severity' | 'return' | 'gone' | 'again' | 'hidden' | 'shown'
  severity: number
}
type Late = { ends: number[] }
type Shelving = { target: 'alarm' | 'rule' | 'device'; pick: number; minutes: number }
type Step =
  | { shelve: Shelving }
  | { lift: number }
  | { passMinutes: number }
  | { report: Report }
  | { action: Action }
  | { rule: Rule }
  | { late: Late }
  | { repeat: number }
  | { connects: true }

const time = fc.integer({ min: 0, max: 12 })
const state = fc.constantFrom(0, 1, 3, 5, 7, 9, 10, 11, 21, 23, 27, 31)
const report = fc.record({
  name: fc.integer({ min: 0, max: 1 }),
  since: fc.integer({ min: 0, max: 2 }),
  at: time,
  state,
  certificate: fc.constantFrom('', 'c1', 'c2'),
})
const action = fc.record({
  action: fc.constantFrom('ack', 'ack', 'reset', 'clear', 'ackAll', 'take'),
  pick: fc.nat(9),
}) as fc.Arbitrary<Action>
const rule = fc.record({
  kind: fc.constantFrom(
    'raise',
    'raise',
    'return',
    'return',
    'severity',
    'gone',
    'again',
    'hidden',
    'shown',
  ),
  severity: fc.integer({ min: 0, max: 6 }),
}) as fc.Arbitrary<Rule>
/** Times of raises and returns, one after the other, that a replay finds. */
const late = fc.record({ ends: fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 5 }) })
const shelving = fc.record({
  target: fc.constantFrom('alarm', 'rule', 'device'),
  pick: fc.nat(9),
  minutes: fc.integer({ min: 20, max: 90 }),
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ report }) },
  { weight: 3, arbitrary: fc.record({ action }) },
  { weight: 4, arbitrary: fc.record({ rule }) },
  { weight: 1, arbitrary: fc.record({ late }) },
  { weight: 2, arbitrary: fc.record({ repeat: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.constant({ connects: true as const }) },
  { weight: 2, arbitrary: fc.record({ shelve: shelving }) },
  { weight: 1, arbitrary: fc.record({ lift: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ passMinutes: fc.integer({ min: 1, max: 60 }) }) },
) as fc.Arbitrary<Step>
const needs = fc.record({ ack: fc.boolean(), reset: fc.boolean() })

type Told = Parameters<TestAlarms['report']>[0] | Parameters<TestAlarms['ruleChanged']>[0]

/** True for an open alarm that is counted: one that is set aside or suppressed is not. */
const isCounted = ({ open, suppressed, shelf_id }: OccurrenceRow) =>
  open && !suppressed && shelf_id === null

/** Numbers of the counted alarms of each severity. */
const levelsOf = (rows: readonly OccurrenceRow[]) =>
  [0, 1, 2, 3, 4, 5, 6].flatMap((severity) => {
    const { length: count } = rows.filter((row) => isCounted(row) && row.level === severity)
    return count > 0 ? [{ severity, count }] : []
  })

/** Work of the service on shelves, which it does each second. */
const eachSecond = () => endDueShelves({ db: server.tables, now: () => new Date(clock) })

/** One device and one rule on it, to which things happen. */
class Plant {
  readonly deviceId = server.addDevice('exor')
  ruleId = ''
  now = 0
  readonly faults: string[] = []
  readonly told: Told[] = []
  /** Alarms that a person acknowledged, with the raises that they had. */
  readonly acked = new Map<string, number>()

  async take(one: Step) {
    if ('report' in one) return this.tell(this.reportOf(one.report))
    if ('rule' in one) return this.tell(this.ruleOf(one.rule))
    if ('late' in one) return this.tell(this.lateOf(one.late))
    if ('action' in one) return this.act(one.action)
    if ('shelve' in one) return this.shelve(one.shelve)
    if ('lift' in one) return this.lift(one.lift)
    if ('passMinutes' in one) {
      clock += one.passMinutes * 60_000
      return eachSecond()
    }
    if ('connects' in one) {
      return server.tell(deviceStateEvents.deviceConnection, [
        { deviceId: this.deviceId, connected: true, at: start },
      ])
    }
    const told = this.told[one.repeat % Math.max(1, this.told.length)]
    // What late values made stands instead of all after it, so that it is repeated at once or never.
    const isLast = told === this.told.at(-1)
    if (told && (isLast || !('again' in told))) return this.tell(told)
    return undefined
  }

  async tell(event: Told) {
    this.told.push(event)
    if ('ruleId' in event) await server.ruleChanged(event)
    else await server.report(event)
  }

  reportOf({ name, since, at, state, certificate }: Report) {
    const changedAt = start + at * 1_000
    const facts = { description: '', tag: '', severity: name * 7, value: null }
    return {
      ...facts,
      deviceId: this.deviceId,
      name: `alarm ${name}`,
      state,
      certificate,
      startedAt: start + since * 1_000,
      changedAt,
      heardAt: start + 60_000,
    }
  }

  ruleOf({ kind, severity }: Rule) {
    this.now += 1
    const t = start + this.now * 1_000
    const change =
      kind === 'raise' || kind === 'severity'
        ? { kind, t, level: 0, severity, words }
        : kind === 'gone'
          ? { kind: 'return' as const, t, reason: 'rule_changed' as const }
          : kind === 'again'
            ? { kind, t, count: 2 }
            : { kind, t }
    return { ...this.event(t), changes: [change] }
  }

  lateOf({ ends }: Late) {
    this.now += 1
    const times = ends.filter((end) => end <= this.now).toSorted((one, other) => one - other)
    const changes = times.map((at, place) => {
      const t = start + at * 1_000
      return place % 2 === 0
        ? ({ kind: 'raise', t, level: 0, severity: 3, words } as const)
        : ({ kind: 'return', t } as const)
    })
    return { ...this.event(start + this.now * 1_000), changes, again: { since: start - 1 } }
  }

  event(heardAt: number) {
    return { deviceId: this.deviceId, ruleId: this.ruleId, ruleVersion: 1, instance: '', heardAt }
  }

  rows() {
    return server.tables
      .selectFrom('occurrence')
      .selectAll()
      .where('device_id', '=', this.deviceId)
      .orderBy('id')
      .execute()
  }

  async act({ action, pick }: Action) {
    const rows = await this.rows()
    const row = rows[pick % Math.max(1, rows.length)]
    if (action === 'take') {
      return server.asService(alarmsContract).takeCommands({
        params: { deviceId: this.deviceId },
        body: { certificate: pick % 2 === 0 ? 'c1' : 'c2' },
      })
    }
    if (action === 'ackAll')
      return ann.acknowledgeAll({ query, body: { data: `deviceId == "${this.deviceId}"` } })
    if (!row) return undefined
    const call = { ack: ann.acknowledge, reset: ann.reset, clear: ann.clear }[action]
    const answers = await Promise.all([1, 2].map(() => call({ query, body: { ids: [row.id] } })))
    if (answers.flatMap(({ done }) => done).length > 1) this.faults.push('done twice')
    return undefined
  }

  async shelve({ target, pick, minutes }: Shelving) {
    const rows = await this.rows()
    const id = { alarm: rows[pick % rows.length]?.id, rule: this.ruleId, device: this.deviceId }
    const shelved = id[target]
    if (shelved === undefined) return
    const until = clock + minutes * 60_000
    const body = { target: { type: target, id: shelved }, reason: 'test', until } as const
    const answer = await ann.createShelf({ query, body }).catch((error: unknown) => error)
    // What is shelved already stays so.
    const isTaken = !(answer instanceof Error) || ('status' in answer && answer.status === 409)
    this.must(isTaken, `shelving was refused: ${String(answer)}`)
    await eachSecond()
  }

  async lift(pick: number) {
    const shelves = await this.shelves()
    const shelf = shelves[pick % shelves.length]
    if (!shelf) return
    await ann.liftShelf({ params: { id: shelf.id }, query })
    await eachSecond()
  }

  /** Shelves of this device, its alarms and its rule that are not over. */
  async shelves() {
    const all = await server.tables
      .selectFrom('shelf')
      .selectAll()
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute()
    return all.filter(
      ({ device_id: device, target_id: target }) =>
        device === this.deviceId || target === this.ruleId,
    )
  }

  /** Adds a fault where an open alarm is not on the shelf that holds it. */
  async checkShelves(open: readonly OccurrenceRow[]) {
    const shelves = await this.shelves()
    for (const row of open) {
      const holding = shelves.filter((shelf) =>
        shelf.target_type === 'alarm'
          ? shelf.source === row.source
          : shelf.target_type === 'device' || shelf.target_id === row.rule_id,
      )
      const ids = holding.map(({ id }) => id)
      const isRight = row.shelf_id === null ? ids.length === 0 : ids.includes(row.shelf_id)
      this.must(isRight, `on the shelf ${row.shelf_id}, held by ${ids.join()}`)
    }
  }

  /** Answers about all alarms and those of this device, and what a recount of all rows says they are. */
  async answers() {
    const rows = await server.tables.selectFrom('occurrence').selectAll().execute()
    const own = rows.filter((row) => row.device_id === this.deviceId)
    const open = own.filter((row) => row.open)
    const ofDevice = levelsOf(own)
    const filter = `deviceId == "${this.deviceId}"`
    const byDevice = await ann.severityCountByDevice({ query: { filter, pageSize: 10 } })
    const list = await ann.listAlarms({ query, body: { kind: 'open', deviceId: this.deviceId } })
    const { total, unacknowledged, shelved, suppressed } = list.counts
    const all = await ann.severityCount({ query })
    const found = { all, byDevice: byDevice.data, total, unacknowledged, shelved, suppressed }
    const wanted = {
      all: levelsOf(rows),
      byDevice: ofDevice.length > 0 ? [{ [this.deviceId]: ofDevice }] : [],
      total: open.filter(isCounted).length,
      unacknowledged: open.filter((row) => isCounted(row) && row.ack_required).length,
      shelved: open.filter((row) => row.shelf_id !== null).length,
      suppressed: open.filter((row) => row.suppressed).length,
    }
    return { found, wanted }
  }

  /** Adds the faults of the present state. */
  async check() {
    const rows = await this.rows()
    const open = rows.filter((row) => row.open)
    this.must(new Set(open.map(({ source }) => source)).size === open.length, 'two are open')
    await this.checkShelves(open)
    const counted = open.filter(isCounted)
    const n = Array.from(
      { length: 7 },
      (_, level) => counted.filter((row) => row.level === level).length,
    )
    const stored = await server.tables
      .selectFrom('device_count')
      .selectAll()
      .where('device_id', '=', this.deviceId)
      .executeTakeFirst()
    this.must(
      (stored?.n ?? n).join() === n.join(),
      `counted ${stored?.n.join()}, there are ${n.join()}`,
    )
    const worst = Math.max(-1, ...counted.map(({ level }) => level))
    this.must((stored?.max ?? -1) === worst, 'the worst is another one')
    for (const row of rows) this.checkRow(row)
  }

  checkRow(row: OccurrenceRow) {
    this.must(isOpen(row) === row.open, 'open in memory and in the database differ')
    this.must((row.closed_t === null) === row.open, 'closed and open')
    this.must((row.returned_t === null) === row.active, 'returned and active')
    const raises = this.acked.get(row.id)
    // Acknowledged stays so, until it comes again.
    const isAsked = raises === row.raises && !row.withdrawn && row.ack_required
    this.must(!isAsked, 'an acknowledgement was lost')
    if (row.acked_by === null || row.ack_required) this.acked.delete(row.id)
    else this.acked.set(row.id, row.raises)
  }

  must(holds: boolean, fault: string) {
    if (!holds) this.faults.push(fault)
  }

  /** Adds a fault where a raise has no end, or two. */
  async checkEnds() {
    for (const row of await this.rows()) {
      const changes = await server.tables
        .selectFrom('change')
        .selectAll()
        .where('occurrence', '=', row.id)
        .orderBy('n')
        .execute()
      const numbers = changes.map(({ n }) => n)
      this.must(
        numbers.every((n, at) => n === at + 1),
        `changes ${numbers.join()}`,
      )
      this.must(changes.length === row.changes, `${row.changes} changes`)
      const states = changes
        .filter(({ kind, n }) => n === 1 || kind !== 'late')
        .map(({ state }) => (state as { active: boolean }).active) // written by the service
      const raises = states.filter((active, at) => active && states[at - 1] !== true).length
      const ends = states.filter((active, at) => !active && states[at - 1] === true).length
      this.must(raises - ends === (row.active ? 1 : 0), `${raises} raises and ${ends} ends`)
    }
  }
}

test('any reports, rules, actions and shelves, in any order and repeated: one open alarm of a source, counts as recounted, acknowledged stays so, each raise has one end [T-07]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), needs, async (steps, given) => {
      const plant = new Plant()
      plant.ruleId = await server.addRule('exor', { ...given, lateNotifyMs: 5_000, group: 'g' })
      for (const one of steps) {
        await plant.take(one)
        await plant.check()
        expect(plant.faults).toEqual([])
      }
      await plant.checkEnds()
      const { found, wanted } = await plant.answers()
      expect(found).toEqual(wanted)
      expect(plant.faults).toEqual([])
      const aside = await server.tables.selectFrom('set_aside').selectAll().execute()
      expect(aside).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('after late values the alarms that are not withdrawn are those of the replay', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(late, { minLength: 1, maxLength: 6 }), async (all) => {
      const plant = new Plant()
      plant.ruleId = await server.addRule('exor', { ack: false })
      plant.now = 50
      for (const one of all) {
        const event = plant.lateOf(one)
        await plant.tell(event)
        await plant.check()
        const rows = (await plant.rows()).filter(({ withdrawn }) => !withdrawn)
        const stored = rows
          .map(({ start_t, returned_t }) => ({
            start: start_t.getTime(),
            end: returned_t?.getTime(),
          }))
          .toSorted((one, other) => one.start - other.start)
        const wanted = occurrencesOf(event.changes)
        expect(stored).toEqual(wanted.map(({ start: from, end }) => ({ start: from, end })))
      }
      expect(plant.faults).toEqual([])
    }),
    { numRuns: 40 },
  )
})
