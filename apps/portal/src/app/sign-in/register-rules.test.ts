import { expect, test } from 'vitest'
import {
  emptyRegistration,
  isRegistrationField,
  neededFields,
  registrationOf,
  shortName,
  valueAt,
} from './register-rules.ts'

test.each([
  ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
  ['Großküchen Weiß', 'grosskuchen-weiss'],
  ['  Nordwerk  ', 'nordwerk'],
  ['Société Générale d’Été', 'societe-generale-d-ete'],
  ['東京', ''],
])('an organization called %j gets the short name %j', (label, name) =>
  expect(shortName(label)).toBe(name),
)

test('a short name has at most 63 letters and does not end with a dash', () => {
  const name = shortName(`${'a'.repeat(62)} ${'b'.repeat(40)}`)
  expect(name).toBe('a'.repeat(62))
  expect(shortName('c'.repeat(80))).toHaveLength(63)
})

const filled = {
  organization: { label: 'Nordwerk AG', name: ' nordwerk ' },
  user: {
    firstName: 'Erika',
    lastName: 'Mustermann',
    username: ' erika ',
    email: ' erika@nordwerk.example ',
    password: ' secret with spaces ',
  },
}

test('where a mail proves the address, no user name is sent', () => {
  const sent = registrationOf(filled, { agreements: [3], language: 'de', mail: true })
  expect(sent).toEqual({
    organization: { name: 'nordwerk', label: 'Nordwerk AG' },
    user: {
      firstName: 'Erika',
      lastName: 'Mustermann',
      email: 'erika@nordwerk.example',
      password: ' secret with spaces ',
    },
    agreements: [3],
    language: 'de',
  })
})

test('without mail the user name is sent, and an empty label is not', () => {
  const { user, organization } = registrationOf(
    { ...filled, organization: { label: ' ', name: 'nordwerk' } },
    { agreements: [], language: 'en', mail: false },
  )
  expect(user.username).toBe('erika')
  expect(organization).toEqual({ name: 'nordwerk' })
})

test('the address is needed where mail proves it, else the user name', () => {
  expect(neededFields(true)).toContain('user.email')
  expect(neededFields(true)).not.toContain('user.username')
  expect(neededFields(false)).toContain('user.username')
  expect(neededFields(false).every((path) => valueAt(emptyRegistration, path) === '')).toBe(true)
  expect(neededFields(false).every(isRegistrationField)).toBe(true)
})

test('what the server says of other things than fields goes below the form', () => {
  const paths = [
    'user.email',
    'organization.name',
    'user.role',
    'agreements',
    'user',
    '',
    'user.toString',
  ]
  expect(paths.filter(isRegistrationField)).toEqual(['user.email', 'organization.name'])
  expect(valueAt(filled, 'user.lastName')).toBe('Mustermann')
  expect(valueAt(filled, 'user.role')).toBe('')
})
