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

test('with nothing to undo or redo the state stays', () => {
  expect(undone(begin(1)).now).toBe(1)
  expect(redone(begin(1)).now).toBe(1)
})

test('typing again after undo is a new step', () => {
  const typed = changed(begin('a'), 'ab', 'name')
  const again = changed(undone(typed), 'ax', 'name')
  expect(undone(again).now).toBe('a')
})

test('the last 200 steps can be undone, older ones are forgotten', () => {
  let state = begin(0)
  for (let step = 1; step <= 250; step++) state = changed(state, step)
  for (let step = 0; step < 300; step++) state = undone(state)
  expect(state.now).toBe(50)
})
