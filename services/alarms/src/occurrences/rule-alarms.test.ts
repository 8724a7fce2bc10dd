import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
beforeAll(async () => {
  server = await testAlarms()
  ann = server.member('ann', 'exor')
})
afterAll(() => server.close())

const query = {}
const start = Date.UTC(2026, 0, 5)
const words = { value: 231, limit: 230, values: {} }
type Changes = Parameters<TestAlarms['ruleChanged']>[0]['changes']
type Again = Parameters<TestAlarms['ruleChanged']>[0]['again']

/** Rule on a device; times are seconds after the start. */
async function ruled(given: Record<string, unknown> = {}, deviceId = server.addDevice('exor')) {
  const ruleId = await server.addRule('exor', given)
  const at = (t: number) => start + t * 1_000
  const raise = (t: number, severity = 3) =>
    ({ kind: 'raise', t: at(t), level: 0, severity, words }) as const
  const level = (t: number, severity: number) =>
    ({ ...raise(t, severity), kind: 'severity' }) as const
  const back = (t: number) => ({ kind: 'return', t: at(t) }) as const
  const tell = (changes: Changes, heard: number, again?: Again) =>
    server.ruleChanged({
      deviceId,
      ruleId,
      ruleVersion: 1,
      instance: '',
      changes,
      heardAt: at(heard),
      ...(again && { again }),
    })
  const rows = async () =>
    (
      await ann.searchAlarms({
        query,
        body: { data: `longreach.rule == "${ruleId}"`, orderBy: 'eventTimestamp', orderDir: 'asc' },
      })
    ).data
  const only = async () => {
    const [alarm, ...others] = await rows()
    if (!alarm || others.length > 0) throw new Error(`${others.length + 1} alarms`)
    return alarm
  }
  const kinds = async (id: string) =>
    (await ann.alarmHistory({ params: { id }, query })).data.map(({ longreach }) => longreach.kind)
  return { deviceId, ruleId, at, raise, level, back, tell, rows, only, kinds }
}

type Shown = Awaited<ReturnType<Awaited<ReturnType<typeof ruled>>['only']>>
/** State of an alarm as the design names it. */
function stateOf({ status, ack, reset }: Shown) {
  if (status === 'CLEARED') return 'C'
  if (status === 'ACTIVE') return ack === 'REQUIRED' ? 'UA' : 'AA'
  if (ack === 'REQUIRED') return 'RU'
  return reset === 'REQUIRED' ? 'RL' : '–'
}

type Do = 'raise' | 'return' | 'ack' | 'reset' | 'clear' | 'gone'
type Step = [does: Do, state: string, reason?: string]
const cells: [title: string, needs: { ack: boolean; reset: boolean }, steps: Step[]][] = [
  [
    'ack and reset',
    { ack: true, reset: true },
    [
      ['raise', 'UA'],
      ['reset', 'UA', 'ack_first'],
      ['ack', 'AA'],
      ['ack', 'AA', 'already'],
      ['reset', 'AA', 'still_active'],
      ['return', 'RL'],
      ['ack', 'RL', 'already'],
      ['raise', 'AA'],
      ['return', 'RL'],
      ['reset', '–'],
      ['reset', '–', 'closed'],
      ['ack', '–', 'closed'],
      ['clear', '–', 'closed'],
    ],
  ],
  [
    'returned before it is acknowledged',
    { ack: true, reset: true },
    [
      ['raise', 'UA'],
      ['return', 'RU'],
      ['reset', 'RU', 'ack_first'],
      ['raise', 'UA'],
      ['return', 'RU'],
      ['ack', 'RL'],
      ['clear', 'C'],
      ['clear', 'C', 'closed'],
      ['ack', 'C', 'closed'],
      ['reset', 'C', 'closed'],
    ],
  ],
  [
    'ack alone',
    { ack: true, reset: false },
    [
      ['raise', 'UA'],
      ['return', 'RU'],
      ['ack', '–'],
    ],
  ],
  [
    'acknowledged while active',
    { ack: true, reset: false },
    [
      ['raise', 'UA'],
      ['ack', 'AA'],
      ['return', '–'],
    ],
  ],
  [
    'neither',
    { ack: false, reset: false },
    [
      ['raise', 'AA'],
      ['ack', 'AA', 'already'],
      ['return', '–'],
    ],
  ],
  [
    'cleared while active',
    { ack: true, reset: false },
    [
      ['raise', 'UA'],
      ['clear', 'C'],
      ['raise', 'C'],
      ['return', 'C'],
    ],
  ],
  [
    'cleared after the acknowledgement',
    { ack: true, reset: true },
    [
      ['raise', 'UA'],
      ['ack', 'AA'],
      ['clear', 'C'],
    ],
  ],
  [
    'the rule is gone while unacknowledged',
    { ack: true, reset: true },
    [
      ['raise', 'UA'],
      ['gone', 'RU'],
      ['gone', 'RU'],
      ['ack', 'RL'],
      ['gone', '–'],
    ],
  ],
  [
    'the rule is gone while acknowledged',
    { ack: true, reset: true },
    [
      ['raise', 'UA'],
      ['ack', 'AA'],
      ['gone', '–'],
    ],
  ],
]

test.each(cells)('states of one alarm: %s [E-15] [T-07]', async (_, needs, steps) => {
  const { raise, back, tell, only, at } = await ruled(needs)
  for (const [index, [does, state, reason]] of steps.entries()) {
    const t = index + 1
    if (does === 'raise') await tell([raise(t)], t)
    else if (does === 'return') await tell([back(t)], t)
    else if (does === 'gone') await tell([{ kind: 'return', t: at(t), reason: 'rule_changed' }], t)
    else {
      const call = { ack: ann.acknowledge, reset: ann.reset, clear: ann.clear }[does]
      const { id } = await only()
      const done = call({ query, body: { alarmId: id } })
      if (reason === undefined) expect(await done).toEqual({ done: [id], skipped: [] })
      else await expect(done).rejects.toMatchObject({ status: 409, code: `alarms.${reason}` })
      const again = await call({ query, body: { ids: [id, id] } })
      expect(again.done).toEqual([])
      expect(again.skipped).toHaveLength(1)
    }
    expect([index, stateOf(await only())]).toEqual([index, state])
  }
})

test('after a clear an alarm comes again after a return, or at once when it is worse', async () => {
  const { raise, back, level, tell, rows } = await ruled()
  await tell([raise(1)], 1)
  const [first] = await rows()
  await ann.clear({ query, body: { id: first!.id } })
  await tell([level(2, 2)], 2)
  expect(await rows()).toHaveLength(1)
  await tell([level(3, 5)], 3)
  expect((await rows()).map(stateOf)).toEqual(['C', 'UA'])
  await ann.clear({ query, body: { id: (await rows())[1]!.id } })
  await tell([back(4), raise(5)], 5)
  expect((await rows()).map(stateOf)).toEqual(['C', 'C', 'UA'])
})

test('levels are one alarm whose severity changes; chatter counts; suppressed ones leave list and counts', async () => {
  const { raise, level, tell, only, at, deviceId } = await ruled({
    levels: [
      { severity: 3, value: 230 },
      { severity: 5, value: 250 },
    ],
    when: { path: 'Oven:1/temp', op: '>' },
  })
  await tell([raise(1), level(2, 5), level(3, 3), { kind: 'again', t: at(4), count: 2 }], 4)
  const alarm = await only()
  expect(alarm).toMatchObject({ severity: 3, longreach: { maxSeverity: 5, raises: 2 } })
  const countsOf = async () => {
    const { counts, data } = await ann.listAlarms({ query, body: { deviceId } })
    const { data: devices } = await ann.severityCountByDevice({
      query: { filter: `deviceId == "${deviceId}"` },
    })
    return [data.length, counts.total, counts.bySeverity[3], counts.suppressed, devices.length]
  }
  expect(await countsOf()).toEqual([1, 1, 1, 0, 1])
  await tell([{ kind: 'hidden', t: at(5) }], 5)
  expect(await countsOf()).toEqual([0, 0, 0, 1, 0])
  await tell([{ kind: 'shown', t: at(6) }], 6)
  expect(await countsOf()).toEqual([1, 1, 1, 0, 1])
})

test('changes that come twice change nothing', async () => {
  const { raise, back, tell, rows, kinds } = await ruled()
  const changes = [raise(1), back(2), raise(3), back(4)]
  await tell(changes, 4)
  await tell(changes, 4)
  await tell([raise(3)], 4)
  const [alarm, ...others] = await rows()
  expect(others).toEqual([])
  expect(await kinds(alarm!.id)).toEqual(['raised', 'returned', 'again', 'returned'])
})

test('the first alarm of a group is named by those after it', async () => {
  const deviceId = server.addDevice('exor')
  const door = await ruled({ name: 'Door open', group: 'heat' }, deviceId)
  const hot = await ruled({ name: 'Too cold', group: 'heat' }, deviceId)
  await hot.tell([hot.raise(10)], 10)
  expect((await hot.only()).longreach.firstOut).toBeNull()
  await door.tell([door.raise(5)], 11)
  expect((await hot.only()).longreach.firstOut).toBe('Door open')
  expect((await door.only()).longreach.firstOut).toBeNull()
  await door.tell([door.back(12)], 12)
  await hot.tell([hot.back(13)], 13)
  await ann.acknowledge({ query, body: { ids: [(await hot.only()).id] } })
  await hot.tell([hot.raise(20)], 20)
  expect((await hot.rows()).at(-1)?.longreach.firstOut).toBeNull()
})

test('late values: another end, none, and brought back; nothing is deleted', async () => {
  const { raise, back, tell, only, at, kinds } = await ruled({ ack: false })
  await tell([raise(10), back(20)], 20)
  await tell([raise(10), back(15)], 30, { since: at(5) })
  expect((await only()).longreach).toMatchObject({ returnedAt: at(15), closedAt: at(15) })
  await tell([raise(10)], 31, { since: at(5) })
  expect(stateOf(await only())).toBe('AA')
  await tell([], 32, { since: at(5) })
  const gone = await only()
  expect(gone.longreach).toMatchObject({ withdrawn: true })
  expect(stateOf(gone)).toBe('–')
  await tell([raise(10), back(16)], 33, { since: at(5) })
  const restored = await only()
  expect(restored.longreach).toMatchObject({ withdrawn: false, returnedAt: at(16) })
  expect(await kinds(restored.id)).toEqual(
    expect.arrayContaining(['raised', 'closed', 'restored', 'withdrawn']),
  )
})

test('late values: came and went is kept as late, and asks for an acknowledgement if it was a moment ago', async () => {
  const { raise, back, tell, rows, at } = await ruled({ lateNotifyMs: 60_000 })
  await tell([raise(10), back(20), raise(30), back(40)], 90, { since: at(0) })
  const found = await rows()
  expect(found.map(({ longreach: { late, closedAt } }) => [late, closedAt])).toEqual([
    [true, at(20)],
    [true, null],
  ])
  expect(found.map(stateOf)).toEqual(['–', 'RU'])
})

test('late values: what still holds is raised with its true start, and never two are open', async () => {
  const { raise, back, tell, rows, at } = await ruled()
  await tell([raise(50)], 50)
  await tell([raise(10), back(20), raise(30)], 60, { since: at(0) })
  const found = await rows()
  expect(found.map((one) => [one.longreach.since, stateOf(one), one.longreach.withdrawn])).toEqual([
    [at(10), '–', false],
    [at(30), 'UA', false],
    [at(50), '–', true],
  ])
})

test('late values: a raise before the acknowledgement stays with its alarm', async () => {
  const { raise, back, tell, only, at } = await ruled()
  await tell([raise(10), back(20), raise(30), back(40)], 40)
  await tell([raise(10), back(20), raise(30), back(45)], 50, { since: at(0) })
  const alarm = await only()
  expect(stateOf(alarm)).toBe('RU')
  expect(alarm.longreach).toMatchObject({ since: at(10), returnedAt: at(45), withdrawn: false })
})

test('late values: an acknowledged alarm stays acknowledged', async () => {
  const { raise, back, tell, only, at } = await ruled()
  await tell([raise(10)], 10)
  await ann.acknowledge({ query, body: { id: (await only()).id } })
  await tell([raise(10), back(20)], 30, { since: at(0) })
  expect(stateOf(await only())).toBe('–')
  await tell([raise(10)], 31, { since: at(0) })
  expect(stateOf(await only())).toBe('AA')
})
