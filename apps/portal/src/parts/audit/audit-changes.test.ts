import { expect, test } from 'vitest'
import { changesOf } from './audit-changes.ts'

test('only fields that differ are changes', () => {
  const before = { label: 'Oven', size: 3, tags: ['a', 'b'], at: { x: 1, y: 2 } }
  const after = { label: 'Oven 7', size: 3, tags: ['b'], at: { x: 1, y: 5 } }
  expect(changesOf(before, after)).toEqual({
    changed: [
      { field: 'label', before: 'Oven', after: 'Oven 7' },
      { field: 'tags', before: 'a, b', after: 'b' },
      { field: 'at.y', before: '2', after: '5' },
    ],
    unchanged: 2,
    both: true,
  })
})

test('what was made or taken away shows all its fields', () => {
  expect(changesOf(null, { label: 'Oven', note: null }).changed).toEqual([
    { field: 'label', before: undefined, after: 'Oven' },
    { field: 'note', before: undefined, after: '—' },
  ])
  expect(changesOf({ label: 'Oven' }, undefined).changed).toEqual([
    { field: 'label', before: 'Oven', after: undefined },
  ])
})

test('lists of things are compared by their places, and nothing is nothing', () => {
  const rules = (action: string) => ({ rules: [{ resource: 'users', actions: [action] }] })
  expect(changesOf(rules('read'), rules('delete')).changed).toEqual([
    { field: 'rules.0.actions', before: 'read', after: 'delete' },
  ])
  expect(changesOf(null, null).changed).toEqual([])
  expect(changesOf('a', 'b').changed).toEqual([{ field: '', before: 'a', after: 'b' }])
})
