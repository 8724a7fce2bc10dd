import { expect, test } from 'vitest'
import { begin, changed, redone, undone } from './undo.ts'

test('changes are taken back and made again in order', () => {
  const three = changed(changed(begin(1), 2), 3)
  expect(undone(three).now).toBe(2)
  expect(undone(undone(undone(three))).now).toBe(1)
  expect(redone(redone(undone(undone(three)))).now).toBe(3)
  expect(redone(three).now).toBe(3)
})

test('typing one field is one change', () => {
  const typed = ['a', 'ab', 'abc'].reduce((state, text) => changed(state, text, 'unit'), begin(''))
  expect(undone(typed).now).toBe('')
  expect(undone(changed(typed, 'x', 'label')).now).toBe('abc')
})

test('a change after taking back forgets what was taken back', () => {
  const other = changed(undone(changed(begin(1), 2)), 5)
  expect(redone(other).now).toBe(5)
  expect(undone(other).now).toBe(1)
})

test('no change is no step', () => {
  const state = begin(1)
  expect(changed(state, 1)).toBe(state)
})
