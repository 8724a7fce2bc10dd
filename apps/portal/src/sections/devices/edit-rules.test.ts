import { expect, test } from 'vitest'
import { draftOf, faultsOf, patchOf } from './edit-rules.ts'

const device = { label: 'Oven', serialNumber: 'S', description: '', tags: ['a'] }

test('a position is typed with dot or comma, and both numbers or none [E-06]', () => {
  const draft = { ...draftOf(device), lat: '46,95', lon: '7.44' }
  expect(faultsOf(draft)).toEqual({})
  expect(patchOf(draft, device).position).toEqual({ lat: 46.95, lon: 7.44 })
  expect(faultsOf({ ...draft, lon: '' })).toEqual({ lon: 'devices.longitudeWrong' })
  expect(faultsOf({ ...draft, lat: '91' })).toEqual({ lat: 'devices.latitudeWrong' })
  expect(faultsOf({ ...draft, label: ' ' })).toEqual({ label: 'devices.labelNeeded' })
})

test('a position that stays is not sent, one that is emptied goes', () => {
  const placed = { ...device, position: { lat: 1, lon: 2 } }
  expect(patchOf(draftOf(placed), placed)).not.toHaveProperty('position')
  expect(patchOf({ ...draftOf(placed), lat: '', lon: '' }, placed).position).toBeNull()
})
