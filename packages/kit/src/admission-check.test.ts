import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createAddressReader } from './address-of.ts'
import { checkAdmission } from './admission-check.ts'
import { isAmong } from './network-of.ts'
import { person } from './testing.ts'

const organization = {
  id: 1,
  resourceId: 'nordwerk',
  name: 'nordwerk',
  label: 'Nordwerk',
  realm: 'nordwerk',
  dataEnabled: true,
  vpnEnabled: true,
}

test.each([
  ['203.0.113.7', true],
  ['203.0.113.8', false],
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['2001:db8::5', true],
  ['2001:db9::5', false],
])('%s is among the allowed addresses: %s', (ip, among) => {
  expect(isAmong(['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'], ip)).toBe(among)
})

test('an organization with allowed addresses refuses every other', () => {
  const closed = { ...organization, allowedAddresses: ['10.0.0.0/8'] }
  const anna = person('anna', 'nordwerk')
  expect(() => checkAdmission(anna, '192.0.2.1', closed)).toThrow('address_not_allowed')
  expect(() => checkAdmission(anna, '10.0.0.1', closed)).not.toThrow()
  expect(() => checkAdmission(anna, '192.0.2.1', organization)).not.toThrow()
})

test('a second factor is asked of people and not of programs', () => {
  const strict = { ...organization, secondFactorRequired: true }
  const anna = person('anna', 'nordwerk')
  expect(() => checkAdmission(anna, '10.0.0.1', strict)).toThrow('second_factor_needed')
  expect(() => checkAdmission({ ...anna, secondFactor: true }, '10.0.0.1', strict)).not.toThrow()
  const key = { ...anna, apiKey: { id: 1, organization: 'nordwerk' } }
  expect(() => checkAdmission(key, '10.0.0.1', strict)).not.toThrow()
  expect(() => checkAdmission({ ...anna, serviceAccount: true }, '10.0.0.1', strict)).not.toThrow()
})

test.each([
  ['192.0.2.1', '203.0.113.9', [], '192.0.2.1'],
  ['192.0.2.1', '203.0.113.9', ['10.0.0.0/8'], '192.0.2.1'],
  ['10.0.0.1', '203.0.113.9', ['10.0.0.0/8'], '203.0.113.9'],
  ['10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', ['10.0.0.0/8'], '203.0.113.9'],
  ['10.0.0.1', '', ['10.0.0.0/8'], '10.0.0.1'],
  ['10.0.0.1', ' , ,', ['10.0.0.0/8'], '10.0.0.1'],
  ['::ffff:10.0.0.1', '2001:db8::7, ::ffff:10.9.9.9', ['10.0.0.0/8'], '2001:db8::7'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', ['10.0.0.0/8', '192.0.2.1'], '10.0.0.3'],
])('from %s with X-Forwarded-For "%s" (attack 70)', (peer, told, trusted, expected) => {
  const request = new IncomingMessage(new Socket())
  Object.defineProperty(request.socket, 'remoteAddress', { value: peer })
  request.headers['x-forwarded-for'] = told
  expect(createAddressReader(trusted)(request)).toBe(expected)
})
