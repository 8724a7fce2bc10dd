import { expect, test } from 'vitest'
import { burstMs, noSound, type SoundChoice, soundOf } from './sound-choice.ts'

const on: SoundChoice = { ...noSound, on: true }
const now = 1_000_000
const of = (...severities: number[]) => severities.map((severity) => ({ severity }))

test('sound is off until it is turned on, and for chosen severities [R-22 in part]', () => {
  expect(soundOf(noSound, of(6), undefined, now).play).toBeUndefined()
  expect(soundOf(on, of(6), undefined, now).play).toBe('critical')
  expect(soundOf(on, of(3, 1), undefined, now).play).toBeUndefined()
  expect(soundOf(on, of(3, 5), undefined, now).play).toBe('high')
  expect(soundOf({ ...on, severities: [] }, of(6), undefined, now).play).toBeUndefined()
})

test('a burst of alarms makes one sound, and another one for a worse severity [R-22 in part]', () => {
  let { burst } = soundOf(on, of(5), undefined, now)
  for (let at = now; at < now + 5 * burstMs; at += burstMs / 2) {
    const next = soundOf(on, of(5, 5), burst, at)
    expect(next.play).toBeUndefined()
    burst = next.burst
  }
  const worse = soundOf(on, of(6), burst, now + 5 * burstMs)
  expect(worse.play).toBe('critical')
  expect(soundOf(on, of(5), worse.burst, now + 5 * burstMs + 1).play).toBeUndefined()
  expect(soundOf(on, of(5), worse.burst, now + 7 * burstMs).play).toBe('high')
})

test('a mute keeps the sound off until its time', () => {
  const muted = { ...on, mutedUntil: now + 600_000 }
  expect(soundOf(muted, of(6), undefined, now).play).toBeUndefined()
  expect(soundOf(muted, of(6), undefined, now + 600_000).play).toBe('critical')
})
