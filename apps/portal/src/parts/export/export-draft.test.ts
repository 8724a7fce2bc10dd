import { expect, test } from 'vitest'
import { exportBody, type ExportDraft, missingIn } from './export-draft.ts'

const draft: ExportDraft = {
  paths: ['**'],
  range: '24h',
  format: 'csv',
  layout: 'wide',
  every: 'stored',
  size: 1,
  unit: 'hours',
  zone: 'Europe/Rome',
  times: 'iso8601',
  separator: 'comma',
  name: ' values ',
  background: false,
}
const about = { devices: { ids: ['d'] }, window: { from: 1, to: 2 }, words: {} }

test('a draft becomes the question of an export [R-16]', () => {
  expect(exportBody(draft, about)).toEqual({
    devices: { ids: ['d'] },
    paths: ['**'],
    since: 1,
    to: 2,
    format: 'csv',
    layout: 'wide',
    timezone: 'Europe/Rome',
    timestampFormat: 'iso8601',
    separator: ',',
    decimal: '.',
    words: {},
    name: 'values',
  })
})

test.each([
  [
    { every: 'max', unit: 'days' },
    { aggregation: { type: 'max', sampling: { size: 1, unit: 'days' } } },
  ],
  [{ separator: 'semicolon' }, { separator: ';', decimal: ',' }],
  [{ separator: 'tab' }, { separator: '\t', decimal: '.' }],
] as const)('%o asks for %o', (change, asked) => {
  expect(exportBody({ ...draft, ...change }, about)).toMatchObject(asked)
})

test('single paths bring their own, and a spreadsheet has no separator', () => {
  const sources = { sources: [{ deviceId: 'd', modelPath: 'p' }] }
  const body = exportBody({ ...draft, format: 'xlsx' }, { ...about, devices: sources })
  expect(body).not.toHaveProperty('paths')
  expect(body).not.toHaveProperty('separator')
})

test('what is missing is said at its field', () => {
  expect(missingIn(draft)).toEqual({})
  expect(missingIn({ ...draft, paths: [], name: ' ', every: 'sum', size: Number.NaN })).toEqual({
    paths: 'export.pathsNeeded',
    name: 'export.nameNeeded',
    size: 'export.sizeNeeded',
  })
})
