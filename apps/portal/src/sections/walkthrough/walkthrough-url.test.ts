import { expect, test } from 'vitest'
import { nextStep, walkOf } from './walkthrough-url.ts'

test('the address leads to a step only behind those before it [R-11]', () => {
  expect(walkOf({}).step).toBe(1)
  expect(walkOf({ step: '4' }).step).toBe(1)
  expect(walkOf({ step: '4', kind: 'gateway' }).step).toBe(2)
  expect(walkOf({ step: '4', kind: 'nonsense' })).toMatchObject({ step: 1, kind: undefined })
  expect(walkOf({ step: '4', device: 'd' }).step).toBe(4)
  expect(walkOf({ step: '9', device: 'd' }).step).toBe(5)
  expect(walkOf({ step: 'x', device: 'd' }).step).toBe(1)
  expect(walkOf({ not: ['a', 'b'] }).not).toEqual(['a', 'b'])
})

test('a device goes on where it stopped', () => {
  const fresh = { connected: false, lastConnUpdateAt: 0, presetId: null }
  expect(nextStep(fresh, false)).toBe(3)
  expect(nextStep({ ...fresh, connected: true }, false)).toBe(4)
  expect(nextStep({ connected: false, lastConnUpdateAt: 5, presetId: 'p' }, true)).toBe(5)
})
