import { expect, test } from 'vitest'
import { spoken } from '../../parts/words/spoken-testing.ts'
import { freshTrigger } from './policy-rules.ts'
import { usePolicyWords } from './policy-words.ts'

const say = await spoken(usePolicyWords)
const german = await spoken(usePolicyWords, { language: 'de' })
const trigger = (type: Parameters<typeof freshTrigger>[0], more = {}) => ({
  triggers: [{ ...freshTrigger(type), ...more }],
})

test('a value without a trigger is never sent', () => {
  expect(say(undefined)).toEqual(['Never sent'])
  expect(say({ triggers: [] })).toEqual(['Never sent'])
})

test.each([
  [trigger('onchange'), 'Sends when the value changes, at most every 1 sec'],
  [trigger('onchange', { minIntervalMs: 0 }), 'Sends when the value changes'],
  [
    trigger('onchange', { deadband: 0.5, minIntervalMs: 90_000 }),
    'Sends when the value changes by more than 0.5, at most every 90 sec',
  ],
  [
    trigger('onchange', { deadbandPercent: 5, minIntervalMs: 0 }),
    'Sends when the value changes by more than 5 %',
  ],
  [trigger('timer'), 'Sends every 1 min'],
  [trigger('timer', { intervalMs: 7_200_000 }), 'Sends every 2 hr'],
  [trigger('timer', { intervalMs: 1_500 }), 'Sends every 1,500 ms'],
  [trigger('fieldchange', { fieldName: 'speed', minIntervalMs: 0 }), 'Sends when speed changes'],
  [
    trigger('onlevel', { level: 80, mode: 'onenter', minIntervalMs: 0 }),
    'Sends when the value reaches 80',
  ],
  [
    trigger('onlevel', { levelString: 'Fault', minIntervalMs: 0 }),
    'Sends when the value reaches or leaves Fault',
  ],
])('%j reads %j', (policy, text) => expect(say(policy)).toEqual([text]))

test('conditions are told behind the triggers, joined as they count', () => {
  const band = (tagName: string, type = 'inband') => ({ type, tagName, low: 1, high: 5 })
  const both = { type: 'and', operands: [band(''), band('pressure', 'outofband')] }
  const [, only] = say({ ...trigger('timer'), conditions: both })
  expect(only).toBe('Only while the value is between 1 and 5 and pressure is not between 1 and 5')
  const [, either] = say({ ...trigger('timer'), conditions: { ...both, type: 'or' } })
  expect(either).toMatch(/ or pressure /)
})

test('numbers and units are those of the language', () => {
  expect(german(trigger('timer', { intervalMs: 1_500 }))[0]).toContain('1.500 ms')
})
