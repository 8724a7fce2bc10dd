import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asker, bearer, type Ask } from '../asking.ts'
import { linkIn } from '../attack-mail.ts'
import {
  administer,
  claimsOf,
  type KeycloakWorld,
  keycloakWorld,
  letKeycloakMail,
  password,
  signInThere,
  ticketFor,
  tokenCall,
  tokensOf,
} from './keycloak-world.ts'

type UserThere = {
  id: string
  username: string
  enabled: boolean
  firstName?: string
  requiredActions: string[]
}
type Made = { id: number; sub: string; username: string }
type Security = {
  lockedUntil: string | null
  sessions: { id: string; ipAddress: string }[]
  credentials: { id: string; type: string }[]
}

let world: KeycloakWorld
let owner: Ask
const org = (of = world.realm) => `core/api/v1/organizations/${of}`
beforeAll(async () => {
  world = await keycloakWorld({ name: 'kcpeople' })
  await letKeycloakMail(world.realm, world.mail.url)
  owner = await world.as('owner')
})
afterAll(async () => world?.close())

/** A call of the owner that has to succeed; their token is made anew, since one lives five minutes. */
async function done<T>(method: string, path: string, sent?: unknown) {
  let answer = await owner(method, path, sent)
  if (answer.status === 401) {
    owner = await world.as('owner')
    answer = await owner(method, path, sent)
  }
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.text === '' ? (undefined as T) : answer.json<T>()
}
const there = async (username: string) =>
  (await administer<UserThere[]>('GET', `/${world.realm}/users?username=${username}&exact=true`))[0]
const roles = async (...names: string[]) => {
  const { content } = await done<{ content: { id: number; name: string }[] }>(
    'GET',
    `${org()}/roles?pageSize=500`,
  )
  return content.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}
const make = async (username: string, more: object = {}) =>
  done<Made & { serviceAccountSecret?: string; invitation?: { mailed: boolean } }>(
    'POST',
    `${org()}/users`,
    { username, email: `${username}@example.org`, password, ...more },
  )
const security = ({ id }: Made) => done<Security>('GET', `${org()}/users/${id}/security`)
const signIn = (username: string, more: { password?: string } = {}) =>
  signInThere({ realm: world.realm, url: world.url, username, ...more })

describe('people', () => {
  test('somebody who is made here signs in there, and has the rights of their role [C-06]', async () => {
    const made = await make('vera', { rolesId: await roles('app_viewer') })
    expect(await there('vera')).toMatchObject({ id: made.sub, enabled: true })
    const vera = await world.as('vera')
    expect((await vera('GET', `${org()}/devices`)).status).toBe(200)
    const refused = await vera('POST', `${org()}/users`, { username: 'x', password })
    expect([refused.status, refused.code]).toEqual([403, 'auth.missing_permission'])
    const again = await owner('POST', `${org()}/users`, { username: 'vera', password })
    expect([again.status, again.code]).not.toEqual([201, ''])
  })

  test('a temporary password is changed there before anything else', async () => {
    await make('tess', { temporaryPassword: true })
    const { code, html } = await signIn('tess')
    expect(code).toBeNull()
    expect(html).toContain('password-new')
  })

  test('names and the end of an account here are those there', async () => {
    const made = await make('carl')
    await done('PUT', `${org()}/users/${made.id}`, { firstName: 'Carl' })
    expect(await there('carl')).toMatchObject({ firstName: 'Carl' })
    const carl = await world.as('carl')
    await done('PUT', `${org()}/users/${made.id}`, { enabled: false })
    expect(await there('carl')).toMatchObject({ enabled: false })
    expect((await signIn('carl')).code).toBeNull()
    await expect
      .poll(async () => (await carl('GET', `${org()}/users`)).status)
      .toBeGreaterThanOrEqual(401)
    await done('DELETE', `${org()}/users/${made.id}/account`)
    expect(await there('carl')).toBeUndefined()
  })

  test('a table of people becomes accounts there, and Keycloak mails them [C-06]', async () => {
    const csv = 'username,email,roles\nimported1,imported1@example.org,app_viewer\n'
    const plan = await done<{ importId: number; counts: { create: number } }>(
      'POST',
      `${org()}/users/import`,
      { csv },
    )
    expect(plan.counts.create).toBe(1)
    await expect
      .poll(async () =>
        done<{ done: number; failed: number }>('GET', `${org()}/users/imports/${plan.importId}`),
      )
      .toMatchObject({ done: 1, failed: 0 })
    expect(await there('imported1')).toMatchObject({ enabled: true })
    expect(linkIn(await world.mail.mailTo('imported1@example.org'))).toContain(world.realm)
  })

  test('who has an account is invited into another organization, and accepts', async () => {
    const below = await done<{ id: number; resourceId: string }>('POST', org(), { name: 'plant' })
    await make('ida', { rolesId: await roles('app_viewer') })
    const answer = await owner('POST', `${org(below.resourceId)}/users`, {
      username: 'ida',
      existing: true,
    })
    expect([200, 201, 202]).toContain(answer.status)
    const ida = await world.as('ida')
    const own = (await ida('GET', 'core/api/v1/organizations/mine')).json<
      { resourceId: string }[]
    >()
    expect(own.map(({ resourceId }) => resourceId)).toContain(world.realm)
  })
})

describe('passwords, locks and second factors', () => {
  test('Keycloak mails the link on which somebody sets a password', async () => {
    const made = await make('lena', { passwordChangeInvitation: true })
    expect(made.invitation).toEqual({ mailed: true })
    const mail = await world.mail.mailTo('lena@example.org')
    const link = linkIn(mail)
    expect(link).toContain(`/realms/${world.realm}/login-actions/action-token`)
    const page = await fetch(link.replaceAll('&amp;', '&'))
    expect(page.status).toBe(200)
  })

  test('a password of ours is judged by the rules of both', async () => {
    const made = await make('paul')
    for (const bad of ['x', 'paul', 'short-one-7']) {
      const answer = await owner('PUT', `${org()}/users/${made.id}`, { password: bad })
      expect([bad, answer.status, answer.code]).toEqual([bad, 422, 'core.password_refused'])
    }
    await done('PUT', `${org()}/users/${made.id}`, { password: 'another-violet-anvil-9' })
    expect((await signIn('paul')).code).toBeNull()
    expect((await signIn('paul', { password: 'another-violet-anvil-9' })).code).not.toBeNull()
  })

  test('wrong passwords lock somebody out there, and an administrator here lifts it', async () => {
    const made = await make('lock')
    for (let n = 0; n < 6; n += 1) await signIn('lock', { password: `wrong ${n}` })
    await expect.poll(async () => (await security(made)).lockedUntil).not.toBeNull()
    expect((await signIn('lock')).code).toBeNull()
    await done('DELETE', `${org()}/users/${made.id}/lock`)
    expect((await security(made)).lockedUntil).toBeNull()
    expect((await signIn('lock')).code).not.toBeNull()
  })

  test('a second factor that was set up there is seen here, and taken away', async () => {
    const made = await make('fay')
    const known = await there('fay')
    await administer('PUT', `/${world.realm}/users/${made.sub}`, {
      ...known,
      requiredActions: ['CONFIGURE_TOTP'],
    })
    const { submit, html } = await signIn('fay')
    const secret = /name="totpSecret" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const totp = new TOTP({ secret: Secret.fromUTF8(secret) }).generate()
    const set = await submit({ totp, totpSecret: secret, userLabel: 'phone' })
    expect(set.headers.get('location')).toContain('code=')
    const { credentials } = await security(made)
    expect(credentials).toMatchObject([{ type: 'otp' }])
    await done('DELETE', `${org()}/users/${made.id}/credentials/${credentials[0]?.id}`)
    expect((await security(made)).credentials).toEqual([])
    expect((await signIn('fay')).code).not.toBeNull()
  })

  test('a session is seen and ended from here: its refresh token is dead', async () => {
    const made = await make('sami')
    const { realm, url } = world
    const tokens = await tokensOf({ realm, url, username: 'sami' })
    const { sessions } = await security(made)
    expect(sessions).toMatchObject([{ id: claimsOf(tokens.access_token)['sid'] }])
    await done('DELETE', `${org()}/users/${made.id}/sessions/${sessions[0]?.id}`)
    expect((await security(made)).sessions).toEqual([])
    const form = { grant_type: 'refresh_token', client_id: 'portal' }
    const again = await tokenCall(realm, { ...form, refresh_token: tokens.refresh_token })
    expect(again.status).toBe(400)
  })
})

describe('programs', () => {
  test('a service account is a client there; its secret is renewed and ends with it [C-08]', async () => {
    const made = await make('robot', {
      email: '--',
      password: undefined,
      serviceAccount: true,
      rolesId: await roles('app_viewer'),
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
    expect((await robot('GET', `${org()}/devices`)).status).toBe(200)
    expect((await ticketFor(world.url, world.realm, body.access_token)).status).toBe(200)
    const clients = `${org()}/clients/user-service-robot/secret`
    const renewed = await done<{ clientSecret: string }>('POST', clients, {})
    expect((await tokenFor(secret)).status).toBe(401)
    expect((await tokenFor(renewed.clientSecret)).status).toBe(200)
    await done('DELETE', `${org()}/users/${made.id}/account`)
    expect((await tokenFor(renewed.clientSecret)).status).toBe(401)
  })

  test('an API key acts for its person, and ends with their account [C-14]', async () => {
    const made = await make('keyed', { rolesId: await roles('app_viewer') })
    const { key } = await done<{ key: string }>('POST', `${org()}/apiKeys`, { username: 'keyed' })
    const keyed = asker(world.url, { 'x-api-key': key })
    expect((await keyed('GET', `${org()}/devices`)).status).toBe(200)
    await done('PUT', `${org()}/users/${made.id}`, { enabled: false })
    await expect.poll(async () => (await keyed('GET', `${org()}/devices`)).status).toBe(401)
  })
})

describe('realms', () => {
  test('somebody of the same name in another realm there is nobody here, and subjects are unique there [A-05]', async () => {
    const me = await there('owner')
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
    expect([401, 403, 404]).toContain((await twin('GET', `${org()}/users`)).status)
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
