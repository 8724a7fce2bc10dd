import type Keycloak from 'keycloak-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { organizationOf } from '../../parts/session/organization-testing.ts'
import type { Identity } from './identity.ts'
import { sessionIn, ticketsOf } from './session-in.ts'

const granted = (...scopes: string[]) => ({
  permissions: [{ rsname: 'nordwerk', scopes: scopes.map((scope) => `iam.${scope}`) }],
})
const ticketOf = (...scopes: string[]) =>
  `h.${Buffer.from(JSON.stringify({ authorization: granted(...scopes) })).toString('base64url')}.s`

let ticket: () => Response
let asked: string[]
beforeEach(() => {
  asked = []
  vi.stubGlobal('sessionStorage', { removeItem: () => undefined, getItem: () => null })
  vi.stubGlobal('location', { origin: 'https://portal.example', assign: () => undefined })
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    asked.push(String((body as URLSearchParams).get('permission')))
    return ticket()
  })
})
afterEach(() => vi.unstubAllGlobals())

function identityOf(claims: object, external = false): Identity {
  const keycloak = {
    authenticated: true,
    token: 't',
    tokenParsed: { sub: 'a-subject', preferred_username: 'erika', ...claims },
    idTokenParsed: { auth_time: 1_000 },
    createAccountUrl: () => 'https://id.example/account',
  } as unknown as Keycloak // what a session reads of it
  const place = { url: '', realm: 'nordwerk', external, scopeFor: () => undefined }
  return { keycloak, realm: 'nordwerk', place }
}
const enter = (identity: Identity, more = {}) =>
  sessionIn(identity, organizationOf('nordwerk', more), {
    choices: 2,
    tickets: ticketsOf(identity),
  })

test('the token says who somebody is and what they may', async () => {
  const session = await enter(
    identityOf({ name: 'Erika M.', email: 'e@x.example', authorization: granted('devices.read') }),
  )
  expect(session).toMatchObject({
    username: 'erika',
    displayName: 'Erika M.',
    email: 'e@x.example',
    choices: 2,
    accountConsole: undefined,
    endsAt: 1_000_000 + 36_000_000,
  })
  expect([...(session?.permissions ?? [])]).toEqual(['devices:read'])
  expect(asked).toEqual([])
})

test('without a name the user name is shown', async () => {
  const session = await enter(identityOf({ authorization: granted('devices.read') }))
  expect(session).toMatchObject({ displayName: 'erika', email: '' })
})

test('a token that says nothing is exchanged for a ticket', async () => {
  ticket = () => Response.json({ access_token: ticketOf('models.read'), expires_in: 60 })
  const session = await enter(identityOf({}))
  expect([...(session?.permissions ?? [])]).toEqual(['models:read'])
  expect(asked).toEqual(['nordwerk'])
})

test('who may nothing in an organization has no session there', async () => {
  ticket = () => new Response('', { status: 403 })
  expect(await enter(identityOf({}))).toBeUndefined()
})

test('a server that fails is no refusal', async () => {
  ticket = () => new Response('', { status: 503 })
  await expect(enter(identityOf({}))).rejects.toThrow('503')
})

test('an organization without IoT takes what needs IoT away', async () => {
  const claims = { authorization: granted('devices.read', 'models.read', 'users.read') }
  const session = await enter(identityOf(claims), { dataEnabled: false })
  expect(session?.permissions.has('users:read')).toBe(true)
  expect(session?.permissions.has('models:read')).toBe(false)
})

test('who acts as somebody else is named, and who signed in elsewhere has their account there', async () => {
  const claims = { authorization: granted('devices.read'), impersonator: { username: 'admin' } }
  expect(await enter(identityOf(claims))).toMatchObject({ impersonator: 'admin' })
  expect(await enter(identityOf(claims, true))).toMatchObject({
    accountConsole: 'https://id.example/account',
    endsAt: undefined,
  })
})

test('what one may elsewhere is asked by a ticket of its own', async () => {
  const session = await enter(identityOf({ authorization: granted('devices.read') }))
  const other = `h.${Buffer.from(
    JSON.stringify({
      authorization: { permissions: [{ rsname: 'acqua', scopes: ['iam.users.read'] }] },
    }),
  ).toString('base64url')}.s`
  ticket = () => Response.json({ access_token: other, expires_in: 60 })
  const permissions = await session?.permissionsIn(organizationOf('acqua'))
  expect([...(permissions ?? [])]).toEqual(['users:read'])
  expect(asked).toEqual(['acqua'])
})
