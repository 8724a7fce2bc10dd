import { expect, test } from 'vitest'
import { byDay, kindsOf, momentText, toneOf } from './moment-text.ts'

const moment = (kind: string, data: Record<string, unknown>, modelPath: string | null = null) => ({
  id: 'x',
  at: 0,
  until: null,
  kind,
  by: null,
  own: false,
  modelPath,
  data,
})
const said = (word: string, values: object = {}) => `${word} ${JSON.stringify(values)}`

test.each([
  ['connection', { connected: false }, 'went', {}],
  [
    'configuration',
    { state: 'error', version: 3, error: 'no' },
    'configError',
    { version: 3, error: 'no' },
  ],
  ['preset', { from: 'A', to: 'B' }, 'presetChanged', { from: 'A', to: 'B' }],
  ['preset', { from: 'A', to: null }, 'presetGone', { from: 'A' }],
  ['sung', {}, 'other', { kind: 'sung' }],
])('a moment %s %j is told by %s', (kind, data, word, values) => {
  expect(momentText(moment(kind, data), said as never)).toBe(
    said(`device-page.moment.${word}`, values),
  )
})

test('a write tells its path, what was there and what was written', () => {
  const write = moment('write', { from: null, to: 7 }, 'Oven:1/zone/heat')
  expect(momentText(write, said as never)).toBe(
    said('device-page.moment.write', { name: 'zone/heat', from: '—', to: '7' }),
  )
  expect(toneOf(write)).toBeUndefined()
  expect(toneOf(moment('connection', { connected: true }))).toBe('ok')
})

test('days are those of the zone', () => {
  const late = { at: Date.parse('2026-03-01T23:30:00Z') }
  const next = { at: Date.parse('2026-03-02T01:00:00Z') }
  expect(byDay([next, late], 'UTC').map(([day]) => day)).toEqual(['2026-03-02', '2026-03-01'])
  expect(byDay([next, late], 'Europe/Rome').map(([day]) => day)).toEqual(['2026-03-02'])
  expect(kindsOf(['configuration', 'write'])).toEqual(['configuration', 'preset', 'write'])
})
