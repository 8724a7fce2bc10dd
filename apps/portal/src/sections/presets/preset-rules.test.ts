import { expect, test } from 'vitest'
import { bind, bindingOf, changeLeaves, compute, sourceFor, unbind } from './bind-rules.ts'
import { readPreset } from './import-rules.ts'
import { likeness, suggestionsFor } from './match-rules.ts'
import { freshTrigger, tooFast, unitOf } from './policy-rules.ts'
import { emptyPreset, nodeAt, type Row, rowsOf, type Tree } from './preset-tree-rules.ts'
import { treePathOf, problemsByPath } from './problem-rules.ts'

const model: Tree = {
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties: {
    temperature: { type: 'double', unit: '°C', label: 'Temperature' },
    'flat/key': { type: 'integer' },
    zone: {
      type: 'object',
      instanceOf: 'Oven.Zone:1.0.0',
      properties: { power: { type: 'double' } },
    },
    heaters: {
      type: 'array',
      length: 4,
      item: { type: 'object', instanceOf: 'Heater:1.0.0', properties: { on: { type: 'boolean' } } },
    },
    s: {
      type: 'struct',
      instanceOf: 'S:1.0.0',
      properties: { a: { type: 'integer' }, b: { type: 'double' } },
    },
  },
}
const rows = rowsOf(model)
const row = (path: string) => rows.find((one) => one.path === path) as Row // the test names one that is there
const empty = emptyPreset(model, 'z5kn06t96oqqm3fl')

test('every value of the model is a row, also in arrays and structs, under flat names as one', () => {
  expect(rows.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    'temperature leaf',
    'flat/key leaf',
    'zone object',
    'zone/power leaf',
    'heaters array',
    'heaters[*]/on leaf',
    's struct',
    's/a field',
    's/b field',
  ])
  expect(row('temperature')).toMatchObject({ unit: '°C', label: 'Temperature' })
})

test('a linked value has the keys that clients know, and no others (trap 17) [C-26]', () => {
  const data = bind(empty, model, row('temperature'), 'T1')
  expect(Object.keys(nodeAt(data, ['temperature']) ?? {}).toSorted()).toEqual([
    'datalink',
    'historyPolicy',
    'mode',
    'sendPolicy',
    'type',
    'version',
  ])
  expect(bindingOf(data, row('temperature'))).toEqual({ source: 'T1' })
})

test('values stand in the order of the model, whatever was linked first (trap 4) [C-26]', () => {
  const names = (paths: string[]) => {
    const tree = paths.reduce((data: Tree, path) => bind(data, model, row(path), path), empty)
    return JSON.stringify(tree)
  }
  const there = names(['temperature', 'flat/key', 'zone/power', 'heaters[*]/on'])
  expect(names(['heaters[*]/on', 'zone/power', 'flat/key', 'temperature'])).toBe(there)
})

test('taking the last link of an object away takes the object away', () => {
  const bound = bind(bind(empty, model, row('zone/power'), 'P'), model, row('temperature'), 'T')
  const data = unbind(bound, model, row('zone/power'))
  expect(Object.keys(data['properties'] as object)).toEqual(['temperature'])
  expect(unbind(data, model, row('temperature'))['properties']).toEqual({})
})

test('what the preset has beside the model stays as it was posted (trap 17) [C-26]', () => {
  const posted = { ...empty, extra: 1, properties: { old: { type: 'double', mode: 'R' } } }
  const data = bind(posted, model, row('temperature'), 'T')
  expect(data).toMatchObject({ extra: 1, properties: { old: { type: 'double', mode: 'R' } } })
})

test('a struct is linked as a whole or by its fields, never both', () => {
  const whole = bind(empty, model, row('s'), 'st')
  expect(nodeAt(whole, ['s'])).toMatchObject({
    datalink: { source: 'st' },
    properties: { a: { type: 'integer' }, b: { type: 'double' } },
  })
  const byField = bind(whole, model, row('s/a'), 'st.a')
  expect(nodeAt(byField, ['s'])).not.toHaveProperty('datalink')
  expect(nodeAt(byField, ['s', 'a'])).toEqual({ type: 'integer', datalink: { source: 'st.a' } })
  expect(nodeAt(unbind(byField, model, row('s/a')), ['s'])).toBeUndefined()
})

test.each([
  ['heater1.on', 'heater${0}.on'],
  ['heaters[3].on', 'heaters[${0}].on'],
  ['heater${0}.on', 'heater${0}.on'],
  ['on', 'on'],
])('in an array the tag %s becomes %s', (tag, source) => {
  expect(sourceFor(row('heaters[*]/on'), tag)).toBe(source)
  expect(sourceFor(row('temperature'), tag)).toBe(tag)
})

test('a computed value is never written and has no send policy [V-01]', () => {
  const bound = bind(empty, model, row('temperature'), 'T')
  const data = compute(bound, model, row('temperature'), 'zone/power * 2')
  const both = changeLeaves(data, model, [row('temperature')], { mode: 'RW', sendPolicy: {} })
  const leaf = nodeAt(both, ['temperature'])
  expect(leaf).toMatchObject({ mode: 'R', datalink: { type: 'formula' } })
  expect(leaf).not.toHaveProperty('sendPolicy')
  expect(bindingOf(both, row('temperature'))).toEqual({ formula: 'zone/power * 2' })
})

test('several values get a mode at once, and those without a link get nothing', () => {
  const data = bind(empty, model, row('temperature'), 'T')
  const some = [row('temperature'), row('flat/key')]
  const changed = changeLeaves(data, model, some, { mode: 'RW' })
  expect(nodeAt(changed, ['temperature'])).toMatchObject({ mode: 'RW' })
  expect(nodeAt(changed, ['flat/key'])).toBeUndefined()
})

test.each([
  ['zone/temperature', 'Zone.Temperature', 1],
  ['zone/temperature', 'ZONE_TEMPERATURE', 1],
  ['zone/temperature', 'zone.temp', 0.95],
  ['zone/temperature', 'pump.speed', 0],
])('%s and %s are alike by %d', (path, tag, score) => {
  expect(likeness(path, tag)).toBe(score)
})

test('each value is suggested its likest tag, each tag once, and only where the type fits', () => {
  const tags = [
    { name: 'Temperature', type: 'double' },
    { name: 'oven.temperature', type: 'double' },
    { name: 'zone_power', type: 'doublearray' },
    { name: 'Zone.Power', type: 'integer' },
  ]
  const leaves = rows.filter(({ kind }) => kind === 'leaf')
  const found = suggestionsFor(leaves, tags, new Set())
  expect(found.map(({ path, source }) => [path, source])).toEqual([
    ['temperature', 'Temperature'],
    ['zone/power', 'Zone.Power'],
  ])
  const rest = suggestionsFor(leaves, tags, new Set(['Temperature']))
  expect(rest[0]).toMatchObject({ source: 'Zone.Power' })
})

test('a problem belongs to the row it stands in, or to the preset', () => {
  expect(treePathOf(row('heaters[*]/on'))).toBe('properties.heaters.item.properties.on')
  const issue = (path: string) => ({ path, message: path, severity: 'error' as const })
  const trial = {
    issues: [issue('properties.heaters.item.properties.on.mode'), issue('instanceOf')],
    warnings: [{ path: 'temperature', rule: 'never_sent' as const }],
    changes: [],
    uses: { devices: 0, applied: 0, presets: [], views: [] },
    device: null,
    leaves: [
      {
        path: 'Oven:1/heaters[2]/on',
        source: 'x',
        from: 'x',
        history: true,
        sampled: false,
        missing: null,
        refused: 1,
      },
    ],
    complete: true,
  }
  const found = problemsByPath({ trial, model, rows, fast: [] })
  expect([...found.keys()]).toEqual(['heaters[*]/on', '', 'temperature'])
  expect(found.get('heaters[*]/on')?.map(({ kind }) => kind)).toEqual(['error', 'warning'])
})

test('a length of time is shown in the largest unit that makes it whole', () => {
  const lengths = [undefined, 0, 250, 1_000, 90_000, 120_000, 7_200_000]
  expect(lengths.map(unitOf)).toEqual(['ms', 'ms', 'ms', 's', 's', 'min', 'h'])
})

test('sending more often than once a second is too fast, without a pause it is not', () => {
  const pause = (minIntervalMs: number) => ({
    triggers: [{ ...freshTrigger('onchange'), minIntervalMs }],
  })
  expect([0, 100, 999, 1_000].map((ms) => tooFast(pause(ms)).length)).toEqual([0, 1, 1, 0])
  expect(tooFast({ triggers: [{ type: 'timer', intervalMs: 200 }] })).toHaveLength(1)
})

test.each([
  ['{', { ok: false, why: 'json' }],
  ['[]', { ok: false, why: 'preset' }],
  ['{"name":"x"}', { ok: false, why: 'preset' }],
  [
    '{"data":{"type":"object","instanceOf":"Pump:1.0.0","properties":{}}}',
    { ok: false, why: 'model' },
  ],
  [
    '{"name":"x","json":{"type":"object","instanceOf":"Oven:0.9.0","properties":{}}}',
    { ok: true, name: 'x', data: { type: 'object', instanceOf: 'Oven:1.0.0', properties: {} } },
  ],
])('the file %s is read as %j', (text, read) => {
  expect(readPreset(text, model)).toEqual(read)
})
