import { expect, test } from 'vitest'
import { spoken } from '../../../parts/words/spoken-testing.ts'
import { useFaultText } from '../bring-in/use-fault-text.ts'
import { useRefusalText } from './use-refusal-text.ts'

test('a refused message is told by its codes; without words for one of them as the server says it', async () => {
  const text = await spoken(useRefusalText)
  const unknown = [{ code: 'of_the_future', values: {} }]
  expect(text({ reason: 'not JSON', refusal: unknown })).toBe('not JSON')
  expect(text({ reason: 'not JSON', refusal: [] })).toBe('not JSON')
  const known = [
    { code: 'noValue', values: {} },
    { code: 'timeNotInMs', values: {} },
  ]
  expect(text({ reason: 'raw', refusal: known })).toBe(
    'The value is missing.: t is not a time in ms.',
  )
  expect(text({ reason: 'raw', refusal: [...known, ...unknown] })).toBe('raw')
  expect(text({ reason: null, refusal: null })).toBe('')
})

test('a line that made no device names its column, and no fault says nothing', async () => {
  const text = await spoken(useFaultText)
  expect(text(null)).toBe('')
  const fault = { column: 'serial', code: 'mappings.label_taken', value: '', message: 'raw' }
  expect(text(fault)).toBe('serial: This name is already taken. Choose another one.')
  expect(text({ ...fault, column: '' })).not.toContain(':')
})
