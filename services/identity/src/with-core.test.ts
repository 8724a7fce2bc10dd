import { createRequire } from 'node:module'
import { core } from '@longreach/core'
import { coreAuthorizer, root, testPassword } from '@longreach/core/testing'
import { testServer } from '@longreach/kit/testing'
import { expect, test } from 'vitest'
import { identity } from './service.ts'
import {
  claimsOf,
  fragmentOf,
  pkce,
  redeemCode,
  signInTo,
  testBrowser,
  type Tokens,
} from './testing.ts'

test('with core: the owner of an organization signs in to it and holds its permissions [A-01] [T-02]', async () => {
  const server = await testServer([core, identity], {
    admit: coreAuthorizer,
    now: () => new Date(),
  })
  const listening = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const origin = listening.replace('127.0.0.1', 'localhost')
  server.site.origin = origin
  const at = (realm: string, path: string) =>
    `${origin}/auth/realms/${realm}/protocol/openid-connect/${path}`
  await root(server, 'nordwerk')
  await root(server, 'acqua')
  const { verifier: code_verifier, challenge: code_challenge } = pkce()
  const { location } = await signInTo({ origin, at }, testBrowser(), {
    realm: 'nordwerk',
    username: 'owner',
    password: testPassword,
    changes: { code_challenge, scope: 'openid org:nordwerk org:acqua app:*' },
  })
  const answer = await redeemCode({ origin, at }, 'nordwerk', {
    code: fragmentOf(location).get('code') ?? '',
    code_verifier,
    client_id: 'portal',
    redirect_uri: `${origin}/`,
  })
  const { access_token } = (await answer.json()) as Tokens
  const { permissions } = claimsOf(access_token)['authorization'] as {
    permissions: { rsname: string; scopes: string[] }[]
  }
  expect(permissions.map(({ rsname }) => rsname)).toEqual(['nordwerk'])
  expect(permissions[0]?.scopes).toContain('iam.devices.read')
  await server.close()
})

test('the provider is the version whose seams were read', () => {
  const { version } = createRequire(import.meta.url)('oidc-provider/package.json') as {
    version: string
  }
  expect(version).toBe('9.13.3')
})
