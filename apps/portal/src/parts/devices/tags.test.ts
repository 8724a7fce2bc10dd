import { expect, test } from 'vitest'
import { firstChosen, isDrawable, knownTags, tagsOf, valueState, withArrived } from './tags.ts'

const configuration = {
  type: 'datamodel',
  properties: {
    Oven: {
      type: 'object',
      instanceOf: 'Oven:1.2.0',
      policies: { _0: { type: 'send', triggers: [{ type: 'timer', intervalMs: 5000 }] } },
      properties: {
        zone: {
          type: 'object',
          properties: {
            temperature: {
              type: 'double',
              mode: 'R',
              unit: '°C',
              sendPolicy: { instanceOf: '_0' },
            },
            setPoint: {
              type: 'double',
              mode: 'RW',
              datalink: { source: 'sp' },
              historyPolicy: { enabled: false },
            },
          },
        },
        doors: {
          type: 'array',
          length: 2,
          item: { type: 'object', properties: { open: { type: 'boolean', mode: 'R' } } },
        },
      },
    },
  },
}

test('a configuration reads as its tags with their model paths', () => {
  const tags = tagsOf(configuration)
  expect(tags.map(({ path }) => path)).toEqual([
    'Oven:1/zone/temperature',
    'Oven:1/zone/setPoint',
    'Oven:1/doors[0]/open',
    'Oven:1/doors[1]/open',
  ])
  expect(tags[0]).toMatchObject({ unit: '°C', everyMs: 5000, writable: false, history: true })
  expect(tags[1]).toMatchObject({ source: 'sp', writable: true, history: false })
})

test.each([undefined, null, {}, { type: 'datamodel' }, 'text'])('%j has no tags', (input) =>
  expect(tagsOf(input)).toEqual([]),
)

test('a value that nobody announced is listed all the same', () => {
  const arrived = new Map([['Oven:1/new', { value: 3 }]])
  expect(withArrived(tagsOf(configuration), arrived).at(-1)).toMatchObject({
    path: 'Oven:1/new',
    type: 'double',
  })
})

test('only numbers and switches are drawn', () => {
  expect(['double', 'boolean', 'string', 'struct'].map((type) => isDrawable({ type }))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a value is stale when its device is away or its time is long over', () => {
  const known = { value: 1, at: 0, quality: 0 }
  expect(valueState(known, { now: 14_000, everyMs: 1000 })).toBe('good')
  expect(valueState(known, { now: 16_000, everyMs: 1000 })).toBe('stale')
  expect(valueState(known, { now: 16_000 })).toBe('good')
  expect(valueState(known, { now: 1, connected: false })).toBe('stale')
})

test('no value is told apart from a bad and an uncertain one', () => {
  expect(valueState(undefined, { now: 1 })).toBe('none')
  expect(valueState({ value: 0, at: 0, quality: 0x80000000 }, { now: 1 })).toBe('bad')
  expect(valueState({ value: 0, at: 0, quality: 0x40000000 }, { now: 1 })).toBe('uncertain')
})

test('a chart starts with numbers of one unit, which share an axis', () => {
  const tag = (path: string, unit?: string) => ({
    path,
    name: path,
    type: 'double',
    writable: false,
    history: true,
    ...(unit !== undefined && { unit }),
  })
  expect(firstChosen([tag('a', 'bar'), tag('b', '°C'), tag('c', '°C')])).toEqual(['b', 'c'])
  expect(firstChosen([tag('a'), tag('b')])).toEqual(['a'])
})

test('a tag is called by its label, and by the part above where several share one [C-22 in part]', () => {
  const listed = ['zone1/temperature', 'zone2/temperature', 'products', 'plain'].map((path) => ({
    modelPath: `Oven:1/${path}`,
    type: 'double',
    mode: 'R' as const,
    ...(path === 'plain' ? {} : { label: path === 'products' ? 'Products' : 'Temperature' }),
    ...(path.startsWith('zone') && { unit: '°C' }),
    ...(path.startsWith('zone1') && { group: 'Zone 1' }),
  }))
  expect(knownTags(listed, null).map(({ name, unit }) => [name, unit])).toEqual([
    ['Zone 1 · Temperature', '°C'],
    ['zone2 · Temperature', '°C'],
    ['Products', undefined],
    ['plain', undefined],
  ])
})

test('a tag has the limits that the model sets for writing', () => {
  const listed = [{ modelPath: 'Oven:1/zone/setPoint', type: 'double', mode: 'RW' as const }]
  expect(knownTags(listed, configuration)[0]).not.toHaveProperty('min')
  const limited = listed.map((one) => ({ ...one, min: 20, max: 250 }))
  expect(knownTags(limited, configuration)[0]).toMatchObject({ min: 20, max: 250 })
})

test('tags of the configuration that nothing arrived for are listed after the others', () => {
  const listed = [{ modelPath: 'Oven:1/zone/setPoint', type: 'double', mode: 'RW' as const }]
  const tags = knownTags(listed, configuration)
  expect(tags.map(({ path }) => path)).toEqual([
    'Oven:1/zone/setPoint',
    'Oven:1/zone/temperature',
    'Oven:1/doors[0]/open',
    'Oven:1/doors[1]/open',
  ])
  expect(tags[0]?.source).toBe('sp')
})
