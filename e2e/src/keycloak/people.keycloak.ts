import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkIn } from '../attack-mail.ts'
import { administer, claimsOf, password, tokenCall, tokensOf } from './keycloak-world.ts'
import { pathOf, type PeopleWorld, peopleWorld } from './people-world.ts'

let world: PeopleWorld
beforeAll(async () => {
  world = await peopleWorld('kcpeople')
})
afterAll(async () => world?.close())

describe('people', () => {
  test('somebody who is made here signs in there, and has the rights of their role [C-06]', async () => {
    const made = await world.make('vera', { rolesId: await world.roles(world.realm, 'app_viewer') })
    expect(await world.there('vera')).toMatchObject({ id: made.sub, enabled: true })
    const vera = await world.as('vera')
    expect((await vera('GET', `${world.org}/devices`)).status).toBe(200)
    const refused = await vera('POST', `${world.org}/users`, { username: 'x', password })
    expect([refused.status, refused.code]).toEqual([403, 'auth.missing_permission'])
    const again = await (
      await world.as('owner')
    )('POST', `${world.org}/users`, { username: 'vera', password })
    expect([again.status, again.code]).not.toEqual([201, ''])
  })

  test('a temporary password is changed there before anything else', async () => {
    await world.make('tess', { temporaryPassword: true })
    const { code, html } = await world.signIn('tess')
    expect(code).toBeNull()
    expect(html).toContain('password-new')
  })

  test('names and the end of an account here are those there', async () => {
    const made = await world.make('carl')
    await world.done('PUT', `${world.org}/users/${made.id}`, { firstName: 'Carl' })
    expect(await world.there('carl')).toMatchObject({ firstName: 'Carl' })
    const carl = await world.as('carl')
    await world.done('PUT', `${world.org}/users/${made.id}`, { enabled: false })
    expect(await world.there('carl')).toMatchObject({ enabled: false })
    expect((await world.signIn('carl')).code).toBeNull()
    await expect
      .poll(async () => (await carl('GET', `${world.org}/users`)).status)
      .toBeGreaterThanOrEqual(401)
    await world.done('DELETE', `${world.org}/users/${made.id}/account`)
    expect(await world.there('carl')).toBeUndefined()
  })

  test('a table of people becomes accounts there, and Keycloak mails them [C-06]', async () => {
    const csv = 'username,email,roles\nimported1,imported1@example.org,app_viewer\n'
    const plan = await world.done<{ importId: number; counts: { create: number } }>(
      'POST',
      `${world.org}/users/import`,
      { csv },
    )
    expect(plan.counts.create).toBe(1)
    await expect
      .poll(async () =>
        world.done<{ done: number; failed: number }>(
          'GET',
          `${world.org}/users/imports/${plan.importId}`,
        ),
      )
      .toMatchObject({ done: 1, failed: 0 })
    expect(await world.there('imported1')).toMatchObject({ enabled: true })
    expect(linkIn(await world.mail.mailTo('imported1@example.org'))).toContain(world.realm)
  })

  test('who has an account is invited into another organization, and accepts [C-06]', async () => {
    type Own = { resourceId: string }[]
    const below = await world.done<{ resourceId: string }>('POST', world.org, { name: 'plant' })
    await world.make('ida', { rolesId: await world.roles(world.realm, 'app_viewer') })
    // Who administers people of the plant alone has no say over Ida, and so may only ask her.
    const administrators = await world.roles(below.resourceId, 'app_administrator')
    await world.make('ines', { rolesId: administrators }, below.resourceId)
    const ines = await world.as('ines')
    const viewers = await world.roles(below.resourceId, 'app_viewer')
    const wish = { username: 'ida', existing: true, rolesId: viewers }
    const invited = await ines('POST', `${pathOf(below.resourceId)}/users`, wish)
    expect([invited.status, invited.json()]).toMatchObject([202, { invited: true }])
    const ida = await world.as('ida')
    const mine = async () =>
      (await ida('GET', 'core/api/v1/organizations/mine'))
        .json<Own>()
        .map(({ resourceId }) => resourceId)
    expect(await mine()).toEqual([world.realm])
    const [invitation] = (await ida('GET', 'core/api/v1/invitations')).json<{ id: number }[]>()
    const answer = `core/api/v1/invitations/${invitation?.id}/accept`
    expect((await ida('POST', answer, {})).status).toBeLessThan(300)
    expect((await mine()).toSorted()).toEqual([world.realm, below.resourceId].toSorted())
    expect((await ida('GET', `${pathOf(below.resourceId)}/devices`)).status).toBe(200)
    expect((await ida('POST', answer, {})).status).toBe(404)
  })
})

describe('passwords, locks and second factors', () => {
  test('Keycloak mails the link on which somebody sets a password', async () => {
    const made = await world.make('lena', { passwordChangeInvitation: true })
    expect(made.invitation).toEqual({ mailed: true })
    const mail = await world.mail.mailTo('lena@example.org')
    const link = linkIn(mail)
    expect(link).toContain(`/realms/${world.realm}/login-actions/action-token`)
    const page = await fetch(link.replaceAll('&amp;', '&'))
    expect(page.status).toBe(200)
  })

  test('a password of ours is judged by the rules of both', async () => {
    const made = await world.make('paul')
    for (const bad of ['x', 'paul', 'short-one-7']) {
      const answer = await (
        await world.as('owner')
      )('PUT', `${world.org}/users/${made.id}`, { password: bad })
      expect([bad, answer.status, answer.code]).toEqual([bad, 422, 'core.password_refused'])
    }
    await world.done('PUT', `${world.org}/users/${made.id}`, { password: 'another-violet-anvil-9' })
    expect((await world.signIn('paul')).code).toBeNull()
    expect((await world.signIn('paul', { password: 'another-violet-anvil-9' })).code).not.toBeNull()
  })

  test('wrong passwords lock somebody out there, and an administrator here lifts it', async () => {
    const made = await world.make('lock')
    for (let n = 0; n < 6; n += 1) await world.signIn('lock', { password: `wrong ${n}` })
    await expect.poll(async () => (await world.security(made)).lockedUntil).not.toBeNull()
    expect((await world.signIn('lock')).code).toBeNull()
    await world.done('DELETE', `${world.org}/users/${made.id}/lock`)
    expect((await world.security(made)).lockedUntil).toBeNull()
    expect((await world.signIn('lock')).code).not.toBeNull()
  })

  test('a second factor that was set up there is seen here, and taken away', async () => {
    const made = await world.make('fay')
    const known = await world.there('fay')
    await administer('PUT', `/${world.realm}/users/${made.sub}`, {
      ...known,
      requiredActions: ['CONFIGURE_TOTP'],
    })
    const { submit, html } = await world.signIn('fay')
    const secret = /name="totpSecret" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const totp = new TOTP({ secret: Secret.fromUTF8(secret) }).generate()
    const set = await submit({ totp, totpSecret: secret, userLabel: 'phone' })
    expect(set.headers.get('location')).toContain('code=')
    const { credentials } = await world.security(made)
    expect(credentials).toMatchObject([{ type: 'otp' }])
    await world.done('DELETE', `${world.org}/users/${made.id}/credentials/${credentials[0]?.id}`)
    expect((await world.security(made)).credentials).toEqual([])
    expect((await world.signIn('fay')).code).not.toBeNull()
  })

  test('a session is seen and ended from here: its refresh token is dead', async () => {
    const made = await world.make('sami')
    const { realm, url } = world
    const tokens = await tokensOf({ realm, url, username: 'sami' })
    const { sessions } = await world.security(made)
    expect(sessions).toMatchObject([{ id: claimsOf(tokens.access_token)['sid'] }])
    await world.done('DELETE', `${world.org}/users/${made.id}/sessions/${sessions[0]?.id}`)
    expect((await world.security(made)).sessions).toEqual([])
    const form = { grant_type: 'refresh_token', client_id: 'portal' }
    const again = await tokenCall(realm, { ...form, refresh_token: tokens.refresh_token })
    expect(again.status).toBe(400)
  })
})
