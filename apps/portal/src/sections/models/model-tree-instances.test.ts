import { expect, test } from 'vitest'
import { addInstances, instanceNames, mostInstances } from './model-tree-instances.ts'

const zone = {
  type: 'object',
  label: 'Zone {n}',
  properties: {
    temperature: { type: 'double', label: 'Temperature', description: 'Measured in zone 1' },
    sensors: { type: 'array', length: 2, item: { type: 'double', label: 'Sensor of {n}' } },
  },
}
const root = {
  type: 'object',
  properties: { zone1: zone, zone3: { type: 'object' }, door: { type: 'boolean' } },
}
type Tree = { properties: Record<string, Tree & Record<string, unknown>> }

test('instances stand after the first, numbered on past names that are taken [C-26]', () => {
  const { root: grown, chosen } = addInstances(root, 'zone1', 2)
  const { properties } = grown as unknown as Tree
  expect(Object.keys(properties)).toEqual(['zone1', 'zone2', 'zone4', 'zone3', 'door'])
  expect(chosen).toHaveLength(2)
  expect(['zone1', 'zone2', 'zone4'].map((name) => properties[name]?.['label'])).toEqual([
    'Zone 1',
    'Zone 2',
    'Zone 4',
  ])
  expect(properties['zone4']?.properties['temperature']).toEqual({
    type: 'double',
    label: 'Temperature',
    description: 'Measured in zone 4',
  })
  expect(properties['zone2']?.properties['sensors']?.['item']).toMatchObject({
    label: 'Sensor of 2',
  })
  // What was edited stays as it was.
  expect(root.properties.zone1).toBe(zone)
})

test('a name without a number is the first, and there is a most', () => {
  expect(instanceNames(root, 'door', 2)).toEqual(['door2', 'door3'])
  expect(instanceNames(root, 'door', 5_000)).toHaveLength(mostInstances)
  expect(addInstances(root, 'nowhere', 2).root).toBe(root)
})
