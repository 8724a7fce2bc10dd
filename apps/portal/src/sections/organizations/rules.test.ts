import { expect, test } from 'vitest'
import type { Organization } from '../../parts/session/session.ts'
import { changeOf, valuesOf } from './change-rules.ts'
import { nameOf } from '../../parts/organizations/organization-name.ts'

test.each([
  ['Nordwerk Süd', 'nordwerk-sud'],
  ['  Große Straße 5 ', 'grosse-strasse-5'],
  ['Élan & Fils', 'elan-fils'],
  ['日本', ''],
  ['a'.repeat(70), 'a'.repeat(63)],
])('%s is named %s', (label, name) => {
  expect(nameOf(label)).toBe(name)
})

const organization = {
  label: 'Press',
  dataEnabled: true,
  hostnameAllowed: false,
  hostname: null,
  ipAddressesWhitelist: ['10.0.0.0/8'],
} as unknown as Organization // the other fields do not matter here

test('only what differs is sent, under the names of the call', () => {
  const before = valuesOf(organization)
  const names = [
    'label',
    'dataEnabled',
    'hostnameAllowed',
    'hostname',
    'ipAddressesWhitelist',
  ] as const
  expect(changeOf(before, before, names)).toBeUndefined()
  const after = { ...before, hostnameAllowed: true, hostname: ' a.example.org ' }
  expect(changeOf(before, after, names)).toEqual({
    allowHostname: true,
    hostname: 'a.example.org',
  })
  expect(changeOf(after, { ...after, hostname: ' ' }, names)).toEqual({ hostname: null })
  expect(changeOf(before, { ...before, ipAddressesWhitelist: [] }, ['label'])).toBeUndefined()
})
