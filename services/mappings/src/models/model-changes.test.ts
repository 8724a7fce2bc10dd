import { expect, test } from 'vitest'
import { changesBetween, heaviestChange, nextVersion } from './model-changes.ts'

const model = (properties: object, more: object = {}) => ({
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties,
  ...more,
})
const leaf = (type = 'double', more: object = {}) => ({ type, ...more })
const zone = (properties: object) => ({ type: 'object', instanceOf: 'Zone:1.0.0', properties })
const list = (item: object, length = 3) => ({ type: 'array', length, item })

test.each([
  ['nothing', { a: leaf() }, { a: leaf() }, []],
  ['a word that is empty', { a: leaf() }, { a: leaf('double', { unit: '', tags: [] }) }, []],
  ['a path more', { a: leaf() }, { a: leaf(), b: leaf('string') }, ['minor added b']],
  ['a path less', { a: leaf(), b: leaf() }, { a: leaf() }, ['major removed b']],
  ['a new name', { a: leaf() }, { b: leaf() }, ['major removed a', 'minor added b']],
  ['another datatype', { a: leaf() }, { a: leaf('integer') }, ['major type a']],
  ['a unit', { a: leaf() }, { a: leaf('double', { unit: '°C' }) }, ['patch unit a']],
  ['a limit', { a: leaf() }, { a: leaf('double', { min: 0 }) }, ['patch min a']],
  ['limit zero', { a: leaf('double', { min: 0 }) }, { a: leaf() }, ['patch min a']],
  ['the order', { a: leaf(), b: leaf() }, { b: leaf(), a: leaf() }, ['patch order ']],
  ['a whole object', { z: zone({ a: leaf() }) }, {}, ['major removed z']],
  ['an object for a value', { z: zone({ a: leaf() }) }, { z: leaf() }, ['major type z']],
  [
    'inside of an array',
    { z: list(zone({ a: leaf() })) },
    { z: list(zone({ a: leaf('string') })) },
    ['major type z[*]/a'],
  ],
  ['a length', { z: list(leaf()) }, { z: list(leaf(), 4) }, ['major length z']],
  ['paths alike', { z: leaf(), zz: leaf() }, {}, ['major removed z', 'major removed zz']],
])('%s is told as what it is [C-26]', (_, before, after, wanted) => {
  const changes = changesBetween(model(before), model(after))
  expect(changes.map(({ weight, kind, path }) => `${weight} ${kind} ${path}`)).toEqual(wanted)
})

test('versions of models inside are no change by themselves', () => {
  const inside = (version: string) => ({ ...zone({ a: leaf() }), instanceOf: `Zone:${version}` })
  expect(changesBetween(model({ z: inside('1.0.0') }), model({ z: inside('2.0.0') }))).toEqual([])
})

test('the heaviest change makes the version', () => {
  const changes = changesBetween(
    model({ a: leaf() }),
    model({ a: leaf('double', { unit: 'm' }), b: leaf() }),
  )
  expect(nextVersion('1.2.3', heaviestChange(changes))).toBe('1.3.0')
  expect(nextVersion('1.2.3', 'major')).toBe('2.0.0')
  expect(nextVersion('1.2.3', 'patch')).toBe('1.2.4')
  expect(nextVersion('1.2.3', 'none')).toBe('1.2.3')
})
