import { expect, test } from 'vitest'
import { isFiltered, listState, questionOf, sortText } from './device-filters.ts'

test('an empty address is the whole list by name [R-10]', () => {
  const state = listState({})
  expect(state).toMatchObject({
    text: '',
    connection: undefined,
    sort: { id: 'label', desc: false },
  })
  expect(questionOf(state, 'acme')).toEqual({
    organization: 'acme.*',
    orderBy: 'name',
    orderDir: 'asc',
  })
})

test('filters of the address become the question to the server', () => {
  const state = listState({
    q: ' oven ',
    state: 'offline',
    preset: 'p1',
    below: 'false',
    sort: '-changed',
  })
  expect(questionOf(state, 'acme')).toEqual({
    organization: 'acme',
    orderBy: 'updatedAt',
    orderDir: 'desc',
    search: 'oven',
    connected: false,
    presetId: 'p1',
  })
})

test('what an address says wrongly is as if it were not there', () => {
  expect(listState({ state: 'burning', sort: 'colour' })).toMatchObject({
    connection: undefined,
    sort: { id: 'label', desc: false },
  })
})

test('the order that a list starts with does not stand in the address', () => {
  expect(sortText({ id: 'label', desc: false })).toBeUndefined()
  expect(sortText({ id: 'label', desc: true })).toBe('-label')
  expect(listState({ sort: '-label' }).sort).toEqual({ id: 'label', desc: true })
})

test('errors of the configuration are a filter of their own [R-10]', () => {
  const state = listState({ state: 'error' })
  expect(questionOf(state, 'nordwerk')).toMatchObject({ state: 'error' })
  expect(questionOf(state, 'nordwerk')).not.toHaveProperty('connected')
})

test('chips become an expression that no text can break out of [R-10]', () => {
  const state = listState({
    tag: ['line 1', 'a" or "b'],
    model: 'Kiln',
    group: '7',
    organization: 'x.y',
    org: 'z',
  })
  expect(questionOf(state, 'x').data).toBe(
    String.raw`tags == "line 1" and tags == "a\" or \"b" and modelName == "Kiln" and groups == 7 and orgResourceId == "x.y"`,
  )
  expect(isFiltered(state)).toBe(true)
  expect(isFiltered(listState({ below: 'false', view: 'cards' }))).toBe(false)
})
