import { expect, test } from 'vitest'
import { pathsUsed } from './model-usage.ts'

const leaf = (source?: string) => ({ type: 'double', ...(source && { datalink: { source } }) })
const object = (properties: object) => ({ type: 'object', properties })
const preset = object({
  zones: { type: 'array', length: 2, item: object({ heat: leaf('t${0}'), cold: leaf() }) },
  st: { type: 'struct', datalink: { source: 's' }, properties: { a: { type: 'double' } } },
  zone: object({ old: leaf() }),
})

test('a preset uses a path that it links, or links something inside of', () => {
  const used = ['', 'zones', 'zones[*]', 'zones[*]/heat', 'st']
  const unused = [
    'zone',
    'zone/old',
    'zones[*]/cold',
    'zones[*]/hea',
    'st/a',
    's',
    'zones[*]/heat/x',
  ]
  expect(pathsUsed(preset, [...unused, ...used])).toEqual(used)
  expect(pathsUsed(object({ a: leaf() }), ['', 'a'])).toEqual([])
})
