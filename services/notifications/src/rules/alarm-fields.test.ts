import { alarmsContract } from '@longreach/alarms/contract'
import { searchAlarms } from '@longreach/alarms/notification-testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'
import { expressionTest, readAlarmExpression } from './alarm-fields.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
})
afterAll(() => server.close())

const org = 'nordwerk.service'
const word = fc.constantFrom('', 'Oven', 'oven 7', 'Too hot', 'T9', '5', 'true', 'é*', 'a.b')
const times = [0, 1, 1_767_614_400_000, 1_767_614_400_500]
const time = fc.constantFrom(...times)
/** States of an alarm: active, cleared, to acknowledge, to reset. */
const states = fc.constantFrom<[boolean, boolean, boolean, boolean]>(
  [true, false, true, false],
  [true, false, false, true],
  [true, true, false, false],
  [false, false, true, false],
  [false, false, false, true],
  [false, true, false, false],
  [false, false, false, false],
)
const alarm = fc.record({
  label: fc.constantFrom('Oven 7', 'oven', 'Press 5'),
  name: word,
  tag: word,
  description: word,
  severity: fc.constantFrom(-5, 0, 3, 5, 6, 100),
  start: time,
  updated: time,
  states,
})

const quoted = (text: string) => JSON.stringify(text)
const text = fc.constantFrom('name', 'tag', 'description', 'deviceLabel', 'orgResourceId', 'id')
const state = fc.constantFrom('status', 'ack', 'reset')
const number = fc.constantFrom('severity', 'updatedAt', 'eventTimestamp')
const stateWord = fc.constantFrom('ACTIVE', 'NOT_ACTIVE', 'CLEARED', 'REQUIRED', 'NOT_REQUIRED', '')
const pattern = fc.constantFrom('.*', 'oven', '*7', 'T?', 'Too*', '^o', 't$', '.+', 'REQ*')
const order = fc.constantFrom('==', '!=', '>', '>=', '<', '<=')
const amount = fc.constantFrom('-5', '0', '3', '5.5', '6', ...times.map(String), '"5"', 'null')
const comparison = fc.oneof(
  fc.tuple(text, order, word.map(quoted)).map((all) => all.join(' ')),
  fc.tuple(state, fc.constantFrom('==', '!='), stateWord.map(quoted)).map((all) => all.join(' ')),
  fc.tuple(number, order, amount).map((all) => all.join(' ')),
  fc
    .tuple(fc.oneof(text, state), fc.constantFrom('~=', '!~='), pattern.map(quoted))
    .map((all) => all.join(' ')),
  fc
    .tuple(state, fc.array(stateWord.map(quoted), { minLength: 1, maxLength: 3 }))
    .map(([field, all]) => `${field} in (${all.join(', ')})`),
)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: comparison },
    fc
      .tuple(tie('expression'), fc.constantFrom('and', 'or'), tie('expression'))
      .map((all) => all.join(' ')),
    tie('expression').map((one) => `not (${one})`),
  ),
}))
type Alarm = typeof alarm extends fc.Arbitrary<infer T> ? T : never

async function write({ label, states: [active, cleared, ack, reset], ...one }: Alarm) {
  const { name, tag, description, severity, start, updated } = one
  const facts = { org, device_id: await server.device(org, label), name, tag, description }
  const flags = { active, cleared, ack_required: ack, reset_required: reset }
  const raised = { ...facts, ...flags, severity, start: new Date(start) }
  return server.change(
    { ...raised, updated_t: new Date(updated), source: crypto.randomUUID() },
    'raised',
  )
}

test('an expression of a rule of notifications is about the alarms that the search finds by it', async () => {
  const plants = fc.array(alarm, { minLength: 4, maxLength: 10 })
  const expressions = fc.array(expression, { minLength: 10, maxLength: 25 })
  let [asked, found] = [0, 0]
  const property = fc.asyncProperty(plants, expressions, async (all, sources) => {
    await server.clear()
    for (const one of all) await write(one)
    const ids = await searchAlarms(server.server, 'id ~= ".*"')
    const alarms = server.asService(alarmsContract)
    const told = await Promise.all(
      ids.map((id) => alarms.alarmForNotifications({ params: { id } })),
    )
    for (const source of sources) {
      if (!readAlarmExpression(source).ok) continue
      const selected = told.filter(expressionTest(source))
      const wanted = await searchAlarms(server.server, source)
      expect({ source, ids: selected.map(({ id }) => id).toSorted() }).toEqual({
        source,
        ids: wanted.toSorted(),
      })
      asked += 1
      if (wanted.length > 0 && wanted.length < ids.length) found += 1
    }
  })
  await fc.assert(property, { numRuns: 20 })
  expect(asked).toBeGreaterThan(200)
  expect(found).toBeGreaterThan(50)
})
