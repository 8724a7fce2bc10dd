import type Keycloak from 'keycloak-js'
import { expect, test } from 'vitest'
import { endedInOtherTab, stopWatching, watchSession } from './watch-session.ts'

function adapter(more: Partial<Keycloak> = {}) {
  const did: string[] = []
  const begun: unknown[] = []
  const keycloak = {
    token: 't',
    refreshToken: 'r',
    idToken: 'i',
    clearToken: () => did.push('cleared'),
    init: async (options: unknown) => {
      begun.push(options)
      return true
    },
    updateToken: async () => true,
    ...more,
  } as unknown as Keycloak // what is used to watch
  return { keycloak, did, begun }
}

test('a second adapter watches with the tokens of the first, and never refreshes them', async () => {
  const [first, second] = [adapter(), adapter({ token: undefined! })]
  await watchSession(first.keycloak, second.keycloak)
  expect(second.begun).toEqual([
    expect.objectContaining({
      token: 't',
      refreshToken: 'r',
      idToken: 'i',
      checkLoginIframe: true,
    }),
  ])
  expect(await second.keycloak.updateToken(30)).toBe(false)
  expect(first.begun).toEqual([])
})

test('a session that ended in another tab ends here, and is known to have ended there', async () => {
  const [first, second] = [adapter(), adapter()]
  await watchSession(first.keycloak, second.keycloak)
  expect(endedInOtherTab(first.keycloak)).toBe(false)
  second.keycloak.onAuthLogout?.()
  expect(first.did).toEqual(['cleared'])
  expect(endedInOtherTab(first.keycloak)).toBe(true)
})

test('without tokens there is nothing to watch', async () => {
  const [first, second] = [adapter({ refreshToken: undefined! }), adapter()]
  await watchSession(first.keycloak, second.keycloak)
  expect(second.begun).toEqual([])
})

test('after a new sign-in the old session tells nothing about the new one', async () => {
  const [first, old, fresh] = [adapter(), adapter(), adapter()]
  await watchSession(first.keycloak, old.keycloak)
  old.keycloak.onAuthLogout?.()
  await watchSession(first.keycloak, fresh.keycloak)
  expect(endedInOtherTab(first.keycloak)).toBe(false)
  expect(old.did).toEqual(['cleared'])
  old.keycloak.onAuthLogout?.()
  expect(endedInOtherTab(first.keycloak)).toBe(false)
  expect(first.did).toEqual(['cleared'])
})

test('to stop watching what nobody watches does nothing', () => {
  const { keycloak, did } = adapter()
  stopWatching(keycloak)
  expect(did).toEqual([])
})
