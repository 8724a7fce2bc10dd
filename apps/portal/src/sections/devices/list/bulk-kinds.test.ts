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
  expect(actionOf('addTags', emptyDraft, 2)).toBe('devices.tagsNeeded')
  expect(actionOf('addToGroup', emptyDraft, 2)).toBe('devices.groupNeeded')
  expect(actionOf('setAttribute', emptyDraft, 2)).toBe('devices.keyNeeded')
  expect(actionOf('move', { ...emptyDraft, tokens: 'a\na' }, 2)).toBe('devices.tokensNeeded')
  expect(actionOf('move', { ...emptyDraft, tokens: 'a\nb' }, 2)).toEqual({
    kind: 'move',
    tokens: ['a', 'b'],
  })
  expect(actionOf('setPreset', emptyDraft, 2)).toEqual({ kind: 'setPreset', presetId: null })
})
