import { expect, test } from 'vitest'
import type { Entry } from './audit-calls.ts'
import { pageOf, useAuditText } from './audit-text.ts'
import { spoken } from '../words/spoken-testing.ts'

const { what, who, on, resource, action } = await spoken(useAuditText)
const actor = (more: object) =>
  ({ actor: { kind: 'user', username: '', sub: '', ...more } }) as Entry // the part that is read

test('an entry says what was done with what', () => {
  const entry = { resource: 'devices', action: 'update', call: 'core.nothing_special' }
  expect(what(entry)).toMatch(/^Device: /)
  expect(what({ ...entry, action: 'delete' })).not.toBe(what(entry))
})

test('what has no word yet is shown by its name, in words', () => {
  expect(resource('maintenancePlans')).toBe('maintenance plans')
  expect(action('renewSecret')).toMatch(/secret/)
})

test('a person, a service account, a key and nobody are told apart', () => {
  expect(who(actor({ username: 'anna' }))).toBe('anna')
  expect(who(actor({ username: 'service-account-user-service-erp' }))).toMatch(/erp$/)
  expect(who(actor({ username: 'service-account-user-service-erp' }))).not.toBe('erp')
  expect(who(actor({ kind: 'apiKey', username: 'anna', apiKey: 7 }))).toBe('API key 7 of anna')
  expect(who(actor({ kind: 'apiKey', username: 'anna' }))).toBe('API key ? of anna')
  expect(who(actor({ kind: 'nobody' }))).toBe('Not signed in')
})

test('a thing is told by its label, else by its id', () => {
  expect(on({ label: 'Oven 1', target: 'd1' })).toBe('Oven 1')
  expect(on({ label: '', target: 'd1' })).toBe('d1')
})

test.each([
  ['devices', 'update', 'oven-1', '/devices/oven-1'],
  ['devices', 'delete', 'oven-1', undefined],
  ['devices', 'update', '', undefined],
  ['devices', 'update', '../roles', undefined],
  ['roles', 'update', '5', undefined],
])('the page of %s after %s of %j is %j', (named, done, target, path) =>
  expect(pageOf({ resource: named, action: done, target } as Entry)).toBe(path),
)
