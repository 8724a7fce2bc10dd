import { expect, test } from 'vitest'
import { chosenIn, identityPlace } from './identity-place.ts'

const origin = 'https://portal.example.org'
const identityUrl = 'https://id.example.org/auth'

test('without settings people sign in at the origin of the portal, for their organization and its apps', () => {
  for (const settings of [{}, { i18nHost: 'https://words.example.org' }, { identityUrl: '' }]) {
    const place = identityPlace(settings, 'nordwerk', origin)
    expect(place).toMatchObject({ url: `${origin}/auth`, realm: 'nordwerk', external: false })
    expect(place.scopeFor('nordwerk.lyon')).toBe('org:nordwerk.lyon app:*')
  }
})

test('a Keycloak is asked for no scope unless the operator says which', () => {
  const stock = identityPlace({ identityUrl }, 'nordwerk', origin)
  expect(stock).toMatchObject({ url: identityUrl, realm: 'nordwerk', external: true })
  expect(stock.scopeFor('nordwerk.lyon')).toBeUndefined()
  const identityScope = 'org:{organization} app:*'
  const { scopeFor } = identityPlace({ identityUrl, identityScope }, 'nordwerk', origin)
  expect(scopeFor('nordwerk.lyon')).toBe('org:nordwerk.lyon app:*')
  expect(scopeFor('a$&b')).toBe('org:a$&b app:*')
})

test('a realm goes by the name that it has at the Keycloak', () => {
  const settings = { identityUrl, identityRealm: 'plants' }
  expect(identityPlace(settings, 'nordwerk', origin).realm).toBe('plants')
})

test('the organization of a tab is read from what the tab remembers', () => {
  expect(chosenIn('org:nordwerk.lyon app:*')).toBe('nordwerk.lyon')
  expect([chosenIn(undefined), chosenIn('openid')]).toEqual([undefined, undefined])
})
