import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DeviceClock, isAhead, WaitingValues } from './device-clock.ts'

const hour = 3_600_000

test('the clock of a device goes on from its newest value', () => {
  const clock = new DeviceClock()
  expect([clock.at(0), clock.serverTimeOf(0)]).toEqual([undefined, undefined])
  clock.take(1_000, 1_200)
  expect([clock.at(1_200), clock.at(6_200), clock.serverTimeOf(6_000)]).toEqual([
    1_000, 6_000, 6_200,
  ])
  clock.take(500, 1_200) // older: the clock stays, and waits for others that are as late
  expect(clock.at(1_200)).toBe(500)
})

test('a clock that is wrong by an hour changes nothing', () => {
  const [right, wrong] = [new DeviceClock(), new DeviceClock()]
  for (let t = 0; t < 100_000; t += 1_000) {
    const lag = (t / 1_000) % 7 === 0 ? 900 : 100
    right.take(t, t + lag)
    wrong.take(t - hour, t + lag)
  }
  expect(wrong.at(150_000)).toBe((right.at(150_000) ?? 0) - hour)
})

test('the spread of lags is waited for, at most five seconds, and is forgotten', () => {
  const clock = new DeviceClock()
  clock.take(0, 0)
  clock.take(1_000, 61_000)
  expect(clock.at(61_000)).toBe(1_000 - 5_000)
  for (let t = 62_000; t < 2_000_000; t += 1_000) clock.take(t, t)
  expect(clock.at(1_999_000)).toBe(1_998_999)
})

test('a buffered day moves the clock by its values', () => {
  const clock = new DeviceClock()
  const now = 24 * hour
  for (let t = 0; t <= now; t += hour / 10) clock.take(t, now)
  expect(clock.at(now)).toBe(now)
})

test('a value from tomorrow waits for its time, in order, and does not move the clock', () => {
  expect([isAhead(60_000, 0), isAhead(60_001, 0)]).toEqual([false, true])
  const waiting = new WaitingValues<string>(3)
  expect(
    ['b', 'c', 'a'].map((value, index) => waiting.add([200, 300, 100][index]!, value)),
  ).toEqual([true, true, true])
  expect([waiting.add(50, 'd'), waiting.next, waiting.size]).toEqual([false, 100, 3])
  expect([waiting.take(99), waiting.take(200), waiting.take(1_000), waiting.next]).toEqual([
    [],
    ['a', 'b'],
    ['c'],
    undefined,
  ])
})

test('the clock is never ahead of the newest value and the time since, and is its own inverse', () => {
  const values = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 9_000 })),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(values, (list) => {
      const clock = new DeviceClock()
      let now = 0
      let newest = -Infinity
      for (const [step, lag] of list) {
        now += step
        clock.take(now - lag, now)
        newest = Math.max(newest, now - lag)
        const at = clock.at(now)!
        expect(at).toBeLessThanOrEqual(now)
        expect(at).toBeGreaterThanOrEqual(newest - 5_001)
        expect(clock.at(clock.serverTimeOf(at + 60_000)!)!).toBeGreaterThanOrEqual(at + 60_000)
      }
    }),
  )
})
