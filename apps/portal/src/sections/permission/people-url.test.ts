import { expect, test } from 'vitest'
import { isFiltered, listState, questionOf, sortText } from './people-url.ts'

test('the address says what the list shows, and nonsense in it is nothing', () => {
  const state = listState({ q: 'ida', kind: 'SERVICE', sort: '-email', group: '7', person: '3' })
  expect(state).toMatchObject({ text: 'ida', kind: 'SERVICE', group: '7', open: '3' })
  expect(questionOf(state)).toEqual({
    search: 'ida',
    type: 'SERVICE',
    groupId: '7',
    orderBy: 'email',
    orderDir: 'desc',
  })
  const odd = listState({ kind: 'X', sort: 'password', group: "1'--", tab: 'nothing' })
  expect(odd).toMatchObject({ kind: undefined, group: undefined, tab: undefined })
  expect(isFiltered(odd)).toBe(false)
  expect(isFiltered(state)).toBe(true)
})

test('the order that the list starts with is not in the address', () => {
  expect(sortText({ id: 'username', desc: false })).toBe(undefined)
  expect(sortText({ id: 'name', desc: true })).toBe('-name')
})
