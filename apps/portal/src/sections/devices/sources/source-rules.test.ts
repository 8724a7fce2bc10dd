import { expect, test } from 'vitest'
import { cleaned, newDraft, placeText, refusedPart, tagName, toggled } from './source-rules.ts'

test('a new source has the usual values and a free name', () => {
  expect(newDraft('modbus', ['modbus'])).toMatchObject({ name: 'modbus-2', port: 502, unit: 1 })
})

test.each([
  ['Pump 1 / Speed', 'Pump_1_Speed'],
  ['2nd zone', 't2nd_zone'],
  ['Öltemperatur', 'O_ltemperatur'],
])('%s becomes a name that the agent takes', (wanted, name) => {
  expect(tagName(wanted, new Set())).toBe(name)
})

test('a place is picked once, and given up by picking it again', () => {
  const draft = newDraft('modbus', [])
  const tag = { name: 'speed', area: 'holding', address: 4 }
  const picked = toggled(draft, tag, new Set(['speed']))
  expect(picked.tags).toEqual([{ name: 'speed_2', area: 'holding', address: 4 }])
  expect(toggled(picked, { ...tag, name: 'another' }, new Set()).tags).toEqual([])
})

test('empty fields are not sent', () => {
  const draft = { ...newDraft('opcua', []), username: '', url: 'opc.tcp://plc:4840' }
  expect(cleaned(draft)).not.toHaveProperty('username')
})

test.each([
  ['1.tags.3.address', { tag: 3 }],
  ['0.host', { key: 'host' }],
  ['source.url', { key: 'url' }],
  ['port', { key: 'port' }],
  [undefined, {}],
])('the field %s is found in the form', (field, part) => {
  expect(refusedPart(field)).toEqual(part)
})

test('a place reads as people call it', () => {
  expect(placeText({ name: 'a', area: 'DB', db: 4, offset: 8, type: 'bool', bit: 2 })).toBe(
    'DB4 8.2',
  )
  expect(placeText({ name: 'a', area: 'holding', address: 12, unit: 3 })).toBe('holding 12 @3')
  expect(placeText({ name: 'a', topic: 'hall/x', path: 'v' })).toBe('hall/x → v')
})
