import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, root, testPassword } from '@longreach/core/testing'
import { testServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { linkIn, testMailServer } from '@longreach/mail/mail-testing'
import { identity } from './service.ts'
import { pkce, signInTo, testBrowser } from './testing.ts'

let server: Awaited<ReturnType<typeof testServer>>
let running: { close: () => Promise<void> }
let post: Awaited<ReturnType<typeof testMailServer>>
let origin: string
const clock = { aheadMs: 0 }
const hour = 3_600_000

beforeAll(async () => {
  post = await testMailServer()
  const now = () => new Date(Date.now() + clock.aheadMs)
  server = await testServer([core, identity], { admit: coreAuthorizer, now })
  const listening = await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = listening.replace('127.0.0.1', 'localhost')
  server.site.origin = origin
  server.site.mail = post.settings
  await root(server, 'nordwerk')
  running = await server.start()
})
afterAll(async () => {
  await running.close()
  await server.close()
  await post.close()
})
beforeEach(() => {
  server.site.registration = {}
  post.taken.length = 0
  // Every test has its own hour.
  clock.aheadMs += 2 * hour
})

const anybody = () => server.as(undefined, coreContract)
const register = (name: string, email: string, language = 'en') =>
  anybody().selfOnBoarding({
    query: {},
    body: {
      organization: { name, label: name },
      user: { email, firstName: 'Mara', lastName: 'Sole', password: testPassword },
      language,
    },
  })
const confirm = (token: string, name?: string) =>
  anybody().confirmOnBoarding({ body: { token, ...(name !== undefined && { name }) } })
const tokenIn = async (email: string) =>
  linkIn(await post.mailTo(email)).split('#confirm=')[1] ?? ''
const at = (realm: string, path: string) =>
  `${origin}/auth/realms/${realm}/protocol/openid-connect/${path}`
const canSignIn = async (realm: string, username: string) => {
  const changes = { code_challenge: pkce().challenge }
  const login = { realm, username, password: testPassword, changes }
  return (await signInTo({ origin, at }, testBrowser(), login)).status === 303
}

test('what was registered is made when the link in the mail is used, once, and its account works then [P-05] [C-04]', async () => {
  const answer = await register('sole', 'Mara@Sole.example', 'it')
  expect(answer).toEqual({ confirmation: true })
  const mail = await post.mailTo('mara@sole.example')
  expect(mail.text).toContain('Conferma la registrazione')
  const url = new URL(linkIn(mail))
  expect(url.origin).toBe(origin)
  // What comes after the # goes to no server and into no Referer.
  expect([url.pathname, url.search]).toEqual(['/register', ''])
  const { rows } = await server.database.pool.query(
    `select count(*)::int from core.organization where name = 'sole'`,
  )
  expect(rows).toEqual([{ count: 0 }])
  const token = await tokenIn('mara@sole.example')
  const both = await Promise.allSettled([confirm(token), confirm(token), confirm(token)])
  const made = both.filter((one) => one.status === 'fulfilled')
  expect(made).toHaveLength(1)
  expect(made[0]?.value).toMatchObject({ realmName: 'sole', organization: { name: 'sole' } })
  await expect(confirm(token)).rejects.toMatchObject({ status: 410 })
  expect(await canSignIn('sole', 'mara@sole.example')).toBe(true)
})

test('a name that was taken meanwhile can be exchanged for another, with the same link', async () => {
  await register('twice', 'one@x.example')
  await register('twice', 'two@x.example')
  const [one, two] = [await tokenIn('one@x.example'), await tokenIn('two@x.example')]
  await confirm(one)
  await expect(confirm(two)).rejects.toMatchObject({ status: 409, code: 'core.name_taken' })
  expect(await confirm(two, 'twice-again')).toMatchObject({ realmName: 'twice-again' })
})

test('a link of yesterday, a changed one and a made-up one open nothing', async () => {
  await register('late', 'late@x.example')
  const token = await tokenIn('late@x.example')
  for (const wrong of ['', `${token}x`, token.toUpperCase(), "' or 1=1"]) {
    await expect(confirm(wrong)).rejects.toMatchObject({ code: 'core.registration_gone' })
  }
  clock.aheadMs += 25 * hour
  await expect(confirm(token)).rejects.toMatchObject({ status: 410 })
})

test('attack 67: below an organization nobody learns who has an account there; its owner does', async () => {
  server.site.registration = { parent: 'nordwerk' }
  expect(await anybody().onboarding({})).toMatchObject({ open: true, parent: 'nordwerk' })
  const fresh = await register('pumps', 'pia@x.example')
  const made = await confirm(await tokenIn('pia@x.example'))
  expect(made).toMatchObject({
    realmName: 'nordwerk',
    organization: { resourceId: 'nordwerk.pumps' },
  })
  post.taken.length = 0
  const known = await register('pumps-two', 'PIA@x.example')
  expect(known).toEqual(fresh)
  const mail = await post.mailTo('pia@x.example')
  expect(mail.text).toContain('You already have an account')
  expect(mail.text).not.toContain('#confirm=')
  expect(await canSignIn('nordwerk', 'pia@x.example')).toBe(true)
})

test('attack 67: one address is mailed three times within an hour, however it is written', async () => {
  await register('a-one', 'kim@x.example')
  await register('a-two', 'Kim+2@x.example')
  await register('a-three', 'KIM@x.example')
  await expect(register('a-four', 'kim+4@x.example')).rejects.toMatchObject({ status: 429 })
  // The next test begins when these are there.
  await expect.poll(() => post.taken.length).toBe(3)
})

test.each(['', 'kіm@x.example', 'kim@x.example\r\nBcc: a@b', 'kim@x.example, a@b.example'])(
  'attack 77: nothing is mailed to %j',
  async (email) => {
    const refused = await register('homograph', email).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: email === '' ? 422 : 400 })
    expect(post.taken).toEqual([])
  },
)

test('what waits to be confirmed is sealed, and holds no password', async () => {
  await register('sealed', 'sela@x.example')
  const { rows } = await server.database.pool.query<{ content: Buffer }>(
    'select * from core.registration where content is not null',
  )
  const text = JSON.stringify(rows.map((row) => ({ ...row, content: row.content.toString() })))
  expect(text).not.toMatch(/sela|argon|sealed/)
  expect(text).not.toContain(await tokenIn('sela@x.example'))
})

test('names that people give on an invitation, and addresses they prove, are theirs in the organization too', async () => {
  const [owner] = (await server.asService(coreContract).roots({})).owners
  const caller = { kind: 'user', sub: owner!.sub, username: 'owner', realm: 'nordwerk' } as const
  const calls = server.as(caller, coreContract)
  const params = { org: 'nordwerk' }
  const body = { username: 'ida', email: 'ida@x.example', passwordChangeInvitation: true }
  const made = await calls.createUser({ params, body })
  const page = linkIn(await post.mailTo('ida@x.example'))
  const fields = { firstName: 'Ida', lastName: 'Roth', password: testPassword }
  const saved = await testBrowser().post(page, { ...fields, repeat: testPassword })
  expect(saved.status).toBe(200)
  await server.settle()
  const user = await calls.user({ params: { ...params, user: made.id } })
  expect(user).toMatchObject({ firstName: 'Ida', lastName: 'Roth' })
  expect(await canSignIn('nordwerk', 'ida')).toBe(true)
})

test('administrators see the mails of their organization, at the root those of the realm, and try failed ones again', async () => {
  const [owner] = (await server.asService(coreContract).roots({})).owners
  const caller = { kind: 'user', sub: owner!.sub, username: 'owner', realm: 'nordwerk' } as const
  const calls = server.as(caller, coreContract)
  await calls.createOrganization({ params: { org: 'nordwerk' }, query: {}, body: { name: 'hall' } })
  const params = { org: 'nordwerk.hall' }
  post.refuse(550)
  const body = { username: 'udo', email: 'udo@x.example', passwordChangeInvitation: true }
  await calls.createUser({ params, body })
  const failed = async (org: string) =>
    (await calls.mails({ params: { org }, query: { status: 'FAILED' } })).content
  await expect.poll(async () => (await failed('nordwerk.hall')).length, { timeout: 60_000 }).toBe(1)
  const [mail] = await failed('nordwerk')
  expect(mail).toMatchObject({ kind: 'invitation', recipient: 'udo@x.example', attempts: 1 })
  expect(JSON.stringify(mail)).not.toContain('action-token')
  const above = await calls.mails({ params, query: {} })
  expect(above.content.every(({ organization }) => organization === 'nordwerk.hall')).toBe(true)
  post.refuse()
  const retried = { params: { ...params, mail: mail!.id }, body: {} }
  expect(await calls.retryMail(retried)).toMatchObject({ status: 'WAITING' })
  await post.mailTo('udo@x.example')
  await expect
    .poll(async () => (await calls.mails({ params, query: {} })).content[0]?.status, {
      timeout: 60_000,
    })
    .toBe('SENT')
  await expect(calls.retryMail(retried)).rejects.toMatchObject({ code: 'core.mail_outlived' })
  await root(server, 'acqua')
  const stranger = (await server.asService(coreContract).roots({})).owners.find(
    ({ realm }) => realm === 'acqua',
  )
  const foreign = server.as({ ...caller, sub: stranger!.sub, realm: 'acqua' }, coreContract)
  await expect(foreign.mails({ params, query: {} })).rejects.toMatchObject({ status: 404 })
  const elsewhere = { params: { org: 'acqua', mail: mail!.id }, body: {} }
  await expect(foreign.retryMail(elsewhere)).rejects.toMatchObject({ code: 'core.not_found' })
})
