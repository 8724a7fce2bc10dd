import { expect, test } from 'vitest'
import { csvLine, isoInZone } from './csv.ts'

test('a text that would run as a formula is made harmless', () => {
  expect(csvLine(['=1+1', '+a', '@b', '-c', 'x'])).toBe("'=1+1,'+a,'@b,'-c,x\r\n")
})

test('numbers keep their sign and their dot', () => {
  expect(csvLine([-1.5, 1e21, true, null, undefined])).toBe('-1.5,1e+21,true,,\r\n')
})

test('commas, quotes and line breaks stay inside their cell', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines'])).toBe('"a,b","say ""x""","two\nlines"\r\n')
})

test('a time is written in the chosen zone with its offset', () => {
  const at = Date.parse('2026-07-01T12:00:00.250Z')
  expect(isoInZone(at, 'Europe/Rome')).toBe('2026-07-01T14:00:00.250+02:00')
  expect(isoInZone(at, 'America/St_Johns')).toBe('2026-07-01T09:30:00.250-02:30')
  expect(isoInZone(at, 'UTC')).toBe('2026-07-01T12:00:00.250+00:00')
  expect(Date.parse(isoInZone(at, 'Asia/Kathmandu'))).toBe(at)
})
