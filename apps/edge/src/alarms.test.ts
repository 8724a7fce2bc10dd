import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { decodePayload } from '@longreach/device-protocol/payload'
import { readAlarmMessage } from '@longreach/device-protocol/alarm-message'
import type { Value } from '@longreach/device-protocol/value'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { AgentAlarms } from './alarms.ts'
import { checkSettings } from './settings.ts'
import { badReading, goodReading } from './tags.ts'

const second = 1_000
const start = Date.UTC(2026, 10, 26, 3)
let dir: string
/** Seconds since the start. */
let clock: number
let sent: string[]

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'longreach-agent-alarms-'))
  clock = 0
  sent = []
  return () => rm(dir, { recursive: true, force: true })
})

const needed = { activationKey: 'AAAA-BBBB', endpoint: 'http://localhost:8080/' }
const low = {
  name: 'low',
  text: 'The tank is at {value|1} %, below {limit} %',
  when: { path: 'tank.level', op: '<', value: 10, clear: 15 },
  severity: 5,
  reset: true,
}

/** Agent's alarms, each message as `second name state (start): text`. */
function agent(alarms: readonly object[]) {
  const settings = checkSettings({ ...needed, alarms })
  const made = new AgentAlarms({
    alarms: settings.alarms,
    dir,
    log: pino({ level: 'silent' }),
    now: () => start + clock * second,
    add(entries) {
      for (const { payload } of entries) {
        const decoded = decodePayload(payload)
        const read = readAlarmMessage(decoded.ok ? decoded.v : null)
        if (!read.ok) throw new Error(read.reason)
        const { name, state, startedAt, changedAt, description } = read.alarm
        const [began, t] = [startedAt, changedAt].map((ms) => (ms - start) / second)
        sent.push(`${t} ${name} ${state} (${began}): ${description}`)
      }
    },
  })
  return {
    repeat: () => made.repeat(),
    receive: (v: Value | null) => made.receive(v),
    close: () => made.save(),
    level: (at: number, v: number | null) => {
      clock = at
      const t = start + at * second
      made.take([
        v === null ? badReading('tank.level', 'away', t) : goodReading('tank.level', v, t),
      ])
    },
    pass: (at: number) => {
      clock = at
      made.due()
    },
    command: (name: string, command: string, began: number) =>
      made.receive({ name, command, evTs: start + began * second, user: 'oskar', comment: '' }),
  }
}
const text = 'The tank is at 8.0 %, below 10 %'

test('an alarm with acknowledgement and reset goes through the states of the wire [E-15]', () => {
  const { level, command } = agent([low])
  level(1, 8)
  clock = 2
  command('low', 'reset', 1)
  command('low', 'ack', 1)
  level(3, 14)
  level(4, 20)
  clock = 5
  command('low', 'reset', 1)
  level(6, 7)
  expect(sent).toEqual([
    `1 low 11 (1): ${text}`,
    `2 low 23 (1): ${text}`,
    `4 low 21 (1): ${text}`,
    `5 low 1 (1): ${text}`,
    `6 low 11 (6): The tank is at 7.0 %, below 10 %`,
  ])
})

test.each([
  ['only acknowledged', { ...low, reset: false }, ['11', '7', '5']],
  ['neither acknowledged nor reset', { ...low, reset: false, ack: false }, ['3', '1']],
])('an alarm that is %s', (_, alarm, states) => {
  const { level, command } = agent([alarm])
  level(1, 8)
  command('low', 'ack', 1)
  level(4, 20)
  expect(sent.map((line) => line.split(' ')[2])).toEqual(states)
})

test('an alarm that comes again before it was acknowledged is the same one', () => {
  const { level, command } = agent([low])
  level(1, 8)
  level(2, 20)
  level(3, 8)
  command('low', 'ack', 3)
  expect(sent.map((line) => line.split(':')[0])).toEqual([
    '1 low 11 (1)',
    '2 low 9 (1)',
    '3 low 11 (1)',
    '3 low 1 (3)',
  ])
})

test('a delay runs without values, and its alarm bears the time at which it was over', () => {
  const { level, pass } = agent([{ ...low, onDelayMs: 10 * second }])
  level(1, 8)
  pass(10)
  expect(sent).toEqual([])
  pass(14)
  expect(sent).toEqual([`11 low 11 (1): ${text}`].map((line) => line.replace('(1)', '(11)')))
})

test('a bad value changes nothing, and silence of a tag is an alarm', () => {
  const silent = { name: 'silent', kind: 'silence', when: { path: 'tank.level', forMs: 5_000 } }
  const { level, pass } = agent([low, { ...silent, severity: 3, ack: false }])
  level(1, 8)
  level(2, null)
  pass(7)
  level(8, 20)
  expect(sent.map((line) => line.split(':')[0])).toEqual([
    '1 low 11 (1)',
    '6 silent 3 (6)',
    '8 low 9 (1)',
    '8 silent 1 (6)',
  ])
})

test('an agent that is killed goes on: with an open alarm, a delay under way, and no silence of its own absence [E-15]', () => {
  const silent = { name: 'silent', kind: 'silence', when: { path: 'tank.level', forMs: 5_000 } }
  const slow = { ...low, name: 'slow', onDelayMs: 60 * second }
  const alarms = [low, slow, { ...silent, severity: 3 }]
  const first = agent(alarms)
  first.level(1, 8)
  first.pass(2)
  clock = 40
  const again = agent(alarms)
  again.pass(41)
  again.level(42, 8)
  expect(sent.map((line) => line.split(':')[0])).toEqual(['1 low 11 (1)'])
  for (let at = 45; at <= 62; at += 1) again.level(at, 8)
  again.command('low', 'ack', 1)
  again.level(63, 30)
  expect(sent.map((line) => line.split(':')[0])).toEqual([
    '1 low 11 (1)',
    '61 slow 11 (61)',
    '62 low 23 (1)',
    '63 low 21 (1)',
    '63 slow 9 (61)',
  ])
})

test('what is open is said again after a gap, with the same start and time', () => {
  const { level, repeat } = agent([low])
  repeat()
  level(1, 8)
  clock = 9
  repeat()
  expect(sent).toEqual([`1 low 11 (1): ${text}`, `1 low 11 (1): ${text}`])
})

test('an alarm that the settings have no more, or another rule for, ends for the platform too', () => {
  const first = agent([low, { ...low, name: 'other', reset: false }])
  first.level(1, 8)
  first.command('other', 'ack', 1)
  first.close()
  sent = []
  clock = 5
  const again = agent([{ ...low, when: { path: 'tank.level', op: '<', value: 5 } }])
  expect(sent.map((line) => line.split(':')[0])).toEqual(['5 low 9 (1)', '5 other 5 (1)'])
  again.command('other', 'ack', 1)
  expect(sent.at(-1)).toBe('5 other 1 (1): ')
})

test('a clock that is set back by an hour does not stop an alarm', () => {
  const { level, pass } = agent([{ ...low, onDelayMs: 10 * second }])
  level(3_600, 8)
  level(2, 8)
  pass(13)
  level(14, 20)
  expect(sent.map((line) => line.split(':')[0])).toEqual(['12 low 11 (12)', '14 low 9 (12)'])
})

test('a file that cannot be read begins anew, and hostile commands change nothing', async () => {
  await writeFile(path.join(dir, 'alarms.json'), '{"at":')
  const { level, receive, command } = agent([low])
  level(1, 8)
  for (const v of [
    null,
    7,
    'ack',
    {},
    { name: 'low' },
    { name: 5, evTs: 1 },
    { evTs: 'x', name: 'low' },
  ])
    receive(v)
  command('low', 'explode', 1)
  command('__proto__', 'ack', 1)
  expect(sent).toEqual([`1 low 11 (1): ${text}`, '1 __proto__ 1 (1): '])
})

const bad: [string, object, string][] = [
  ['without a name', { when: low.when, severity: 3 }, 'alarms.0.name'],
  ['without a severity', { ...low, severity: undefined }, 'levels'],
  ['with a severity of 7', { ...low, severity: 7 }, 'alarms.0.severity'],
  [
    'with a limit that ends on the wrong side',
    { ...low, when: { ...low.when, clear: 5 } },
    'clear wrong side',
  ],
  ['with an unknown field', { ...low, whenn: 1 }, 'whenn'],
  ['with a model', { ...low, scope: { model: 'Oven:1' } }, 'the agent knows no scope'],
  [
    'for each item',
    { ...low, when: { ...low.when, path: 'tank[*].level' } },
    'write an alarm for each',
  ],
  ['that waits for another rule', { ...low, unless: { rule: 'other' } }, 'unless.when'],
  ['with an open brace', { ...low, text: 'at {value' }, 'brace'],
  ['about the connection', { ...low, kind: 'connection' }, 'condition or silence'],
]
test.each(bad)('an alarm %s is refused with advice', (_, alarm, advice) => {
  expect(() => checkSettings({ ...needed, alarms: [alarm] })).toThrow(advice)
})

test('two alarms of one name are refused', () => {
  expect(() => checkSettings({ ...needed, alarms: [low, low] })).toThrow('two alarms named low')
})
