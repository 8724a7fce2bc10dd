import { expect, test } from 'vitest'
import { features, isFeatureOn, offeredFeatures } from './feature-rules.ts'

test('every feature is off until it is stored as true [F-01]', () => {
  for (const name of features) {
    expect(isFeatureOn(name, null, {})).toBe(false)
    expect(isFeatureOn(name, 'true', {})).toBe(true)
    expect(isFeatureOn(name, 'yes', {})).toBe(false)
  }
})

test('an unstored feature starts as the installation says, and a stored one as stored [F-02]', () => {
  const settings = { enabled: ['structs'] }
  expect(isFeatureOn('structs', null, settings)).toBe(true)
  expect(isFeatureOn('structs', 'false', settings)).toBe(false)
  expect(isFeatureOn('highFreq', null, settings)).toBe(false)
})

test('what is not allowed, or is forbidden, is neither offered nor on [F-02]', () => {
  expect(offeredFeatures({ allowed: ['structs', 'highFreq'], forbidden: ['highFreq'] })).toEqual([
    'structs',
  ])
  expect(isFeatureOn('highFreq', 'true', { forbidden: ['highFreq'] })).toBe(false)
  expect(isFeatureOn('structs', 'true', { allowed: ['highFreq'] })).toBe(false)
})
