import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asker, bearer } from '../asking.ts'
import { administer, password, ticketFor, tokenCall } from './keycloak-world.ts'
import { type PeopleWorld, peopleWorld } from './people-world.ts'

let world: PeopleWorld
beforeAll(async () => {
  world = await peopleWorld('kcprograms')
})
afterAll(async () => world?.close())

describe('programs', () => {
  test('a service account is a client there; its secret is renewed and ends with it [C-08]', async () => {
    const made = await world.make('robot', {
      email: '--',
      password: undefined,
      serviceAccount: true,
      rolesId: await world.roles(world.realm, 'app_viewer'),
    })
    const secret = made.serviceAccountSecret ?? ''
    const tokenFor = (client_secret: string) =>
      tokenCall(world.realm, {
        grant_type: 'client_credentials',
        client_id: 'user-service-robot',
        client_secret,
      })
    const { body } = await tokenFor(secret)
    const robot = asker(world.url, bearer(body.access_token))
    expect((await robot('GET', `${world.org}/devices`)).status).toBe(200)
    expect((await ticketFor(world.url, world.realm, body.access_token)).status).toBe(200)
    const clients = `${world.org}/clients/user-service-robot/secret`
    const renewed = await world.done<{ clientSecret: string }>('POST', clients, {})
    expect((await tokenFor(secret)).status).toBe(401)
    expect((await tokenFor(renewed.clientSecret)).status).toBe(200)
    await world.done('DELETE', `${world.org}/users/${made.id}/account`)
    expect((await tokenFor(renewed.clientSecret)).status).toBe(401)
  })

  test('an API key acts for its person, and ends with their account [C-14]', async () => {
    const made = await world.make('keyed', {
      rolesId: await world.roles(world.realm, 'app_viewer'),
    })
    const { key } = await world.done<{ key: string }>('POST', `${world.org}/apiKeys`, {
      username: 'keyed',
    })
    const keyed = asker(world.url, { 'x-api-key': key })
    expect((await keyed('GET', `${world.org}/devices`)).status).toBe(200)
    await world.done('PUT', `${world.org}/users/${made.id}`, { enabled: false })
    await expect.poll(async () => (await keyed('GET', `${world.org}/devices`)).status).toBe(401)
  })
})

describe('realms', () => {
  test('somebody of the same name in another realm there is nobody here, and subjects are unique there [A-05]', async () => {
    const me = await world.there('owner')
    const other = `${world.realm}-twin`
    const audience = {
      name: 'audience',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-audience-mapper',
      config: { 'included.custom.audience': 'corvina-platform', 'access.token.claim': 'true' },
    }
    await administer('POST', '', { realm: other, enabled: true })
    const twins = (id?: string) => ({
      ifResourceExists: 'OVERWRITE',
      clients: [
        {
          clientId: 'twin',
          publicClient: true,
          directAccessGrantsEnabled: true,
          protocolMappers: [audience],
        },
      ],
      users: [
        {
          ...(id !== undefined && { id }),
          username: 'owner',
          firstName: 'O',
          lastName: 'O',
          email: 'o@example.org',
          enabled: true,
          credentials: [{ type: 'password', value: password }],
        },
      ],
    })
    // One database serves all realms, and the id of a user is its key.
    await expect(administer('POST', `/${other}/partialImport`, twins(me?.id))).rejects.toThrow(
      '409',
    )
    await administer('POST', `/${other}/partialImport`, twins())
    const form = { grant_type: 'password', client_id: 'twin', scope: 'openid' }
    const { body } = await tokenCall(other, { ...form, username: 'owner', password })
    const twin = asker(world.url, bearer(body.access_token))
    const own = await twin('GET', 'core/api/v1/organizations/mine')
    expect(own.status === 200 ? own.json<unknown[]>() : []).toEqual([])
    expect([401, 403, 404]).toContain((await twin('GET', `${world.org}/users`)).status)
    expect((await ticketFor(world.url, world.realm, body.access_token)).status).toBe(401)
    await administer('DELETE', `/${other}`)
  })

  test('the sign-in form of programs is not served: Keycloak signs people in', async () => {
    const form = new URLSearchParams({
      emi_username: `owner/${world.realm}`,
      emi_password: password,
    })
    const answer = await fetch(`${world.url}/svc/identity/access/login`, {
      method: 'POST',
      body: form,
    })
    expect(answer.status).toBe(404)
    const refresh = await fetch(
      `${world.url}/auth/realms/${world.realm}/protocol/openid-connect/token`,
      { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) },
    )
    expect([refresh.status, await refresh.json()]).toEqual([
      400,
      { error: 'unsupported_grant_type' },
    ])
  })
})
