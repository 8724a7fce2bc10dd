import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SendPolicy } from './configuration.ts'
import { createSender } from './send-policy.ts'
import type { Value } from './value.ts'

const sender = (policy: object, valueOf?: (tag: string) => Value | undefined) =>
  createSender(SendPolicy.parse(policy), valueOf)
const trigger = (one: object) => ({ triggers: [one] })

/** Values that are sent at once, of those offered at times. */
const sentOf = (policy: object, values: [number, Value][]) => {
  const { offer } = sender(policy)
  return values.filter(([t, v]) => offer(v, t) !== undefined).map(([, v]) => v)
}

test('onchange sends the first value and then changes only', () => {
  const values: [number, Value][] = [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 1],
  ]
  expect(sentOf(trigger({ type: 'onchange' }), values)).toEqual([1, 2, 1])
})

test('a deadband is measured from the value that was sent last', () => {
  const values: [number, Value][] = [10, 10.5, 11, 11.1, 10.2, 9].map((v, t) => [t, v])
  expect(sentOf(trigger({ type: 'onchange', deadband: 1 }), values)).toEqual([10, 11.1, 9])
  expect(sentOf(trigger({ type: 'onchange', deadbandPercent: 10 }), values)).toEqual([10, 11.1, 9])
})

test('the first changes can be skipped', () => {
  const values: [number, Value][] = [1, 2, 3, 3, 4].map((v, t) => [t, v])
  expect(sentOf(trigger({ type: 'onchange', skipFirstNChanges: 2 }), values)).toEqual([3, 4])
})

test('a change within the least interval waits, and the newest value goes', () => {
  const { offer, due } = sender(trigger({ type: 'onchange', minIntervalMs: 1000 }))
  expect(offer(1, 0)).toEqual({ v: 1, t: 0 })
  expect(offer(2, 200)).toBeUndefined()
  expect(offer(3, 400)).toBeUndefined()
  expect(due(900)).toBeUndefined()
  expect(due(1000)).toEqual({ v: 3, t: 400 })
  expect(due(5000)).toBeUndefined()
})

test('a value that came back before the interval was over is not sent', () => {
  const { offer, due } = sender(trigger({ type: 'onchange', minIntervalMs: 1000 }))
  offer(1, 0)
  offer(2, 200)
  offer(1, 400)
  expect(due(2000)).toBeUndefined()
})

test('a clock that was set back does not stop the sending', () => {
  const { offer } = sender(trigger({ type: 'onchange', minIntervalMs: 1000 }))
  offer(1, 1_000_000)
  expect(offer(2, 5_000)).toEqual({ v: 2, t: 5_000 })
})

test('a change mask with the timestamp sends equal values with another time', () => {
  const mask = trigger({ type: 'onchange', changeMask: 'value|timestamp' })
  expect(
    sentOf(mask, [
      [0, 1],
      [1, 1],
      [1, 1],
    ] as [number, Value][]),
  ).toHaveLength(2)
})

test('a timer sends at multiples of its interval, an old value with the current time', () => {
  const { offer, due } = sender(trigger({ type: 'timer', intervalMs: 5000 }))
  expect(due(5000)).toBeUndefined()
  expect(offer(7, 5200)).toBeUndefined()
  expect(due(5300)).toEqual({ v: 7, t: 5200 })
  expect(due(9999)).toBeUndefined()
  expect(due(10_000)).toEqual({ v: 7, t: 10_000 })
})

test('a timer with interval 0 works every second', () => {
  const { offer, due } = sender(trigger({ type: 'timer', intervalMs: 0 }))
  offer(1, 0)
  due(0)
  expect(due(999)).toBeUndefined()
  expect(due(1000)).toBeDefined()
})

test.each([
  [undefined, [12, 8]],
  ['onenter', [12]],
  ['onexit', [8]],
])('onlevel with mode %s sends %j', (mode, wanted) => {
  const policy = trigger({ type: 'onlevel', level: 10, ...(mode && { mode }) })
  const values: [number, Value][] = [5, 12, 13, 8, 7].map((v, t) => [t, v])
  expect(sentOf(policy, values)).toEqual(wanted)
})

test('the deadband of a level keeps a trembling value inside', () => {
  const policy = trigger({ type: 'onlevel', level: 10, deadband: 2 })
  const values: [number, Value][] = [5, 10, 9, 10, 9, 7.9].map((v, t) => [t, v])
  expect(sentOf(policy, values)).toEqual([10, 7.9])
})

test('a level may be a text', () => {
  const values: [number, Value][] = ['idle', 'run', 'run', 'idle'].map((v, t) => [t, v])
  expect(sentOf(trigger({ type: 'onlevel', levelString: 'run' }), values)).toEqual(['run', 'idle'])
})

test('fields of a struct can be watched on their own', () => {
  const values: [number, Value][] = [
    [0, { a: 1, b: 1 }],
    [1, { a: 1, b: 2 }],
    [2, { a: 2, b: 2 }],
  ]
  const change = trigger({ type: 'fieldchange', fieldName: 'a' })
  expect(sentOf(change, values)).toEqual([values[0]![1], values[2]![1]])
  const level = trigger({ type: 'fieldlevel', fieldName: 'a', level: 2 })
  expect(sentOf(level, values)).toEqual([values[2]![1]])
})

test('another tag can be what triggers', () => {
  let other = 1
  const { offer, due } = sender(trigger({ type: 'onchange', tagName: 'other' }), () => other)
  expect(offer(10, 0)).toEqual({ v: 10, t: 0 })
  expect(offer(11, 1)).toBeUndefined()
  other = 2
  expect(due(2)).toEqual({ v: 11, t: 1 })
})

test('several triggers send when any of them fires', () => {
  const policy = {
    triggers: [
      { type: 'onchange', deadband: 5 },
      { type: 'timer', intervalMs: 1000 },
    ],
  }
  const { offer, due } = sender(policy)
  expect(offer(1, 0)).toBeDefined()
  expect(offer(2, 500)).toBeUndefined()
  expect(due(1000)).toEqual({ v: 2, t: 500 })
})

test('conditions hold values back until they are true', () => {
  const inband = { type: 'inband', low: 0, high: 10 }
  const valve = { type: 'outband', low: 0, high: 0, tagName: 'valve' }
  let open = 0
  const policy = {
    ...trigger({ type: 'onchange' }),
    conditions: { type: 'and', operands: [inband, { type: 'or', operands: [valve] }] },
  }
  const { offer, due } = sender(policy, () => open)
  expect(offer(5, 0)).toBeUndefined()
  open = 1
  expect(due(10)).toEqual({ v: 5, t: 0 })
  expect(offer(11, 20)).toBeUndefined()
  expect(offer(10, 30)).toEqual({ v: 10, t: 30 })
})

test('a policy without triggers sends nothing', () => {
  const { offer, due } = sender({})
  expect(offer(1, 0)).toBeUndefined()
  expect(due(10_000)).toBeUndefined()
})

test('with a least interval no two sendings are nearer, and the last value always arrives', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 3 })), {
        minLength: 1,
      }),
      (steps) => {
        const { offer, due } = sender(trigger({ type: 'onchange', minIntervalMs: 1000 }))
        const sent: { at: number; v: Value }[] = []
        const take = (sample: { v: Value } | undefined, at: number) =>
          sample && sent.push({ at, v: sample.v })
        let now = 0
        for (const [step, value] of steps) {
          now += step
          take(due(now), now)
          take(offer(value, now), now)
        }
        take(due(now + 1000), now + 1000)
        expect(sent.at(-1)?.v).toBe(steps.at(-1)?.[1])
        sent.slice(1).forEach(({ at }, index) => {
          expect(at - sent[index]!.at).toBeGreaterThanOrEqual(1000)
        })
      },
    ),
  )
})
