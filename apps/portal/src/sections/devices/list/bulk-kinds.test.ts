import { expect, test } from 'vitest'
import { actionOf, emptyDraft, valueOf } from './bulk-kinds.ts'

test.each([
  ['', null],
  ['  text ', 'text'],
  ['4.5', 4.5],
  ['true', true],
  ['[46.9, 7.4]', [46.9, 7.4]],
  ['10.0.0.1', '10.0.0.1'],
])('the attribute value "%s" is %j [E-06]', (text, value) => {
  expect(valueOf(text)).toEqual(value)
})

test('an action says what it still needs [R-10]', () => {
  expect(actionOf('addTags', emptyDraft)).toBe('devices.tagsNeeded')
  expect(actionOf('addToGroup', emptyDraft)).toBe('devices.groupNeeded')
  expect(actionOf('setAttribute', emptyDraft)).toBe('devices.keyNeeded')
  expect(actionOf('setPreset', emptyDraft)).toEqual({ kind: 'setPreset', presetId: null })
})
