import { expect, test } from 'vitest'
import { firstOuts } from './first-out.ts'
import { indexesIn, instancesOf, type RuleInstance } from './instances.ts'
import { compiledOf } from './rule-testing.ts'

const devicePaths = [
  'Oven:1/zones[10]/temp',
  'Oven:1/zones[2]/temp',
  'Oven:1/zones[2]/power',
  'Oven:1/heater',
  'Oven:1/zones[2]/temperature',
]

test('each item has an instance of its own, with the inputs that all share', () => {
  const rule = compiledOf({
    when: {
      all: [
        { path: 'Oven:1/zones[*]/temp', op: '>', value: 1 },
        { formula: '"zones[*]/power" + heater', op: '>', value: 1 },
      ],
    },
  })
  expect(rule.inputs).toMatchObject([
    { path: 'zones[*]/temp' },
    { path: 'zones[*]/power' },
    { path: 'heater' },
  ])
  expect(instancesOf(rule, devicePaths)).toEqual([
    { instance: '2', paths: ['Oven:1/zones[2]/temp', 'Oven:1/zones[2]/power', 'Oven:1/heater'] },
    { instance: '10', paths: ['Oven:1/zones[10]/temp', undefined, 'Oven:1/heater'] },
  ])
})

test('formulas name the item as those of presets do', () => {
  const rule = compiledOf({
    when: { formula: 'zones[${0}]/temp - zones[2]/temp', op: '>', value: 1 },
  })
  expect(instancesOf(rule, devicePaths).map(({ paths }) => paths)).toEqual([
    ['Oven:1/zones[2]/temp', 'Oven:1/zones[2]/temp'],
    ['Oven:1/zones[10]/temp', 'Oven:1/zones[2]/temp'],
  ])
})

test('a rule without items has one instance, also where the device has no path', () => {
  const rule = compiledOf({ when: { path: 'gone', op: '>', value: 1 } })
  const one: RuleInstance = { instance: '', paths: [undefined] }
  expect(instancesOf(rule, devicePaths)).toEqual([one])
})

test('a pattern finds the indexes of a path, or that it is another path', () => {
  expect(indexesIn('a[*]/b[*]/c', 'a[1]/b[23]/c')).toEqual(['1', '23'])
  for (const path of [
    'a[1]/b[2]',
    'a[1]/b[x]/c',
    'a[1]/b[2]/cd',
    'x',
    'a[1]/b/c',
    'a[12345678901]/b[2]/c',
  ])
    expect([path, indexesIn('a[*]/b[*]/c', path)]).toEqual([path, undefined])
})

test('the first of a group is the first by event time after all were normal', () => {
  const alarms = [
    { source: 'late', start: 4, end: 6 },
    { source: 'a', start: 1, end: 3 },
    { source: 'b', start: 2, end: 8 },
    { source: 'c', start: 8, end: 8 },
    { source: 'd', start: 8 },
    { source: 'e', start: 90, end: 91 },
  ]
  expect(firstOuts(alarms).map(({ alarm, first }) => [alarm.source, first])).toEqual([
    ['a', 'a'],
    ['b', 'a'],
    ['late', 'a'],
    ['c', 'c'],
    ['d', 'd'],
    ['e', 'd'],
  ])
})
