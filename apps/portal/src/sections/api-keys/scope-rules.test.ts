import { expect, test } from 'vitest'
import {
  byResource,
  lifeOf,
  linesOf,
  offeredScopes,
  onlySeeing,
  usualScopes,
} from './scope-rules.ts'

const available = ['devices:read', 'devices:update', 'models:read', 'users:read'] as const

test('rights stand together by what they are about', () => {
  expect(byResource(available)).toEqual([
    { resource: 'devices', rights: ['devices:read', 'devices:update'] },
    { resource: 'models', rights: ['models:read'] },
    { resource: 'users', rights: ['users:read'] },
  ])
})

test('a new key starts with seeing what programs read, as far as the owner may', () => {
  expect([...usualScopes(available)]).toEqual(['devices:read', 'models:read'])
  expect([...onlySeeing(available)]).toEqual(['devices:read', 'models:read', 'users:read'])
})

test('a right about what this version does not have is neither shown nor given', () => {
  const more = [...available, 'vpn:read', 'vpn:update'] as const
  expect(offeredScopes(more)).toEqual(available)
  expect(byResource(more).map(({ resource }) => resource)).not.toContain('vpn')
  expect([...onlySeeing(more)]).not.toContain('vpn:read')
})

test('addresses stand on lines of their own or with commas between', () => {
  expect(linesOf(' 10.0.0.0/8\n\n192.0.2.1, 2001:db8::/32 ')).toEqual([
    '10.0.0.0/8',
    '192.0.2.1',
    '2001:db8::/32',
  ])
  expect(linesOf('  ')).toEqual([])
})

test('a key that ends within a fortnight says so', () => {
  const at = (days: number) => ({ expired: false, expiresAt: new Date(days * 86_400_000) })
  expect([lifeOf(at(-1), 0), lifeOf(at(13), 0), lifeOf(at(15), 0)]).toEqual([
    'expired',
    'soon',
    'live',
  ])
  expect(lifeOf({ ...at(15), expired: true }, 0)).toBe('expired')
})
