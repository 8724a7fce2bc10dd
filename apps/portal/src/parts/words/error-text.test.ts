import { AppError } from '@longreach/kit/errors'
import { expect, test } from 'vitest'
import { NotReachable } from '../api/not-reachable.ts'
import { besideForm, useErrorText } from './error-text.ts'
import { useServerText } from './server-text.ts'
import { spoken } from './spoken-testing.ts'

const textOf = await spoken(useErrorText)
const german = await spoken(useErrorText, { language: 'de' })

test('a failure is told by the words of its code, in the language of the person', () => {
  const taken = new AppError(409, 'core.name_taken')
  expect(textOf(taken).message).toMatch(/^This name is already taken/)
  expect(german(taken).message).toMatch(/^Dieser Name/)
})

test('what is missing is named in the text', () => {
  const lacking = new AppError(403, 'auth.missing_permission', { permission: 'devices:update' })
  expect(textOf(lacking).message).toBe(
    'You do not have this permission: devices:update. Ask an administrator.',
  )
})

test('the server’s own sentence is never shown: an unknown code is told with its reference', () => {
  const unknown = textOf(new AppError(500, 'core.new_in_2030', { request: 'r-17' }))
  expect(unknown.reference).toBe('r-17')
  expect(unknown.message).toContain('r-17')
  expect(textOf(new AppError(500, 'core.new_in_2030')).message).toBe(
    'Something went wrong on the server.',
  )
})

test.each([
  [new NotReachable(), /not reachable/],
  [new TypeError('Failed to fetch'), /not reachable/],
  [new DOMException('late', 'TimeoutError'), /did not answer in time/],
  [new Error('a bug'), /Something went wrong/],
  ['thrown text', /Something went wrong/],
])('%s is told as it concerns the person', (error, text) =>
  expect(textOf(error).message).toMatch(text),
)

test('a rule that a field broke is said at the field, with its limit', () => {
  const { fields } = textOf(
    new AppError(400, 'request.invalid', {
      fields: [
        { field: 'name', rule: 'long', limit: 100 },
        { field: 'email', rule: 'format', format: 'email' },
        { field: 'color', rule: 'a rule of the future' },
        { rule: 'long', limit: 3 },
      ],
    }),
  )
  expect(Object.keys(fields)).toEqual(['name', 'email', 'color'])
  expect(fields['name']).toBe('At most 100 characters.')
  expect(new Set(Object.values(fields)).size).toBe(3)
})

test('a code that is about one field is said there too', () => {
  const { fields } = textOf(new AppError(409, 'core.name_taken', { field: 'name' }))
  expect(fields['name']).toMatch(/already taken/)
})

test('a form shows a failure at its fields, or below them when none of them has it', () => {
  const taken = textOf(new AppError(409, 'core.name_taken', { field: 'name' }))
  expect(besideForm(taken, ['name'])).toMatchObject({ below: undefined })
  expect(besideForm(taken, ['name']).at['name']).toMatch(/already taken/)
  expect(besideForm(taken, ['label']).below).toMatch(/already taken/)
  expect(besideForm(undefined, ['name'])).toEqual({ at: {}, below: undefined })
})

test('a step that failed on the server has words without gaps, or general ones', async () => {
  const said = await spoken(useServerText)
  expect(said({ code: 'core.name_taken' })).toMatch(/^This name is already taken/)
  expect(said({ code: 'auth.missing_permission' })).toBe('Something went wrong on the server.')
  expect(said({ code: 'nobody.knows' })).toBe('Something went wrong on the server.')
})
