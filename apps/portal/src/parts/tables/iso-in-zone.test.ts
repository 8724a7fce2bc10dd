import { expect, test } from 'vitest'
import { isoInZone } from './iso-in-zone.ts'

test('a time is written in the chosen zone with its offset', () => {
  const at = Date.parse('2026-07-01T12:00:00.250Z')
  expect(isoInZone(at, 'Europe/Rome')).toBe('2026-07-01T14:00:00.250+02:00')
  expect(isoInZone(at, 'America/St_Johns')).toBe('2026-07-01T09:30:00.250-02:30')
  expect(isoInZone(at, 'UTC')).toBe('2026-07-01T12:00:00.250+00:00')
  expect(Date.parse(isoInZone(at, 'Asia/Kathmandu'))).toBe(at)
})
