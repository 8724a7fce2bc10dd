import { createSecrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { changeEmail } from '../account/email-change.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { linkIn, testMailServer } from '@longreach/mail/mail-testing'
import { scriptedServer } from '@longreach/mail/smtp-testing'
import { goodPassword, identityTest, type IdentityTest, testBrowser } from '../testing.ts'

let server: IdentityTest
let running: { close: () => Promise<void> }
let post: Awaited<ReturnType<typeof testMailServer>>
const minute = 60_000

beforeAll(async () => {
  post = await testMailServer()
  server = await identityTest()
  server.site.mail = post.settings
  running = await server.start()
  await server.person('nordwerk', 'anna')
})
afterAll(async () => {
  await running.close()
  await server.close()
  await post.close()
})
beforeEach(() => {
  post.taken.length = 0
  post.refuse()
})

const withMail = (username: string, more = {}) =>
  server.calls.createAccount({
    body: { realm: 'nordwerk', username, email: `${username}@plant.example`, ...more },
  })
const ask = (sub: string, body = {}) => server.calls.oneTimeLink({ params: { sub }, body })
const mails = () =>
  server.calls.mails({ query: { realm: 'nordwerk', organization: '', all: true } })
const statusOf = async (recipient: string) =>
  (await mails()).content.find((one) => one.recipient === recipient)?.status
const deps = () => ({
  db: server.database.db.withSchema('identity') as unknown as Kysely<IdentityDb>,
  secrets: createSecrets(Buffer.alloc(32, 7)),
  site: server.site,
  now: () => new Date(Date.now() + server.clock.aheadMs),
})
const saving = { password: goodPassword, repeat: goodPassword }

test('an invitation is mailed in its language, with the organization’s label, and sets name and password [C-06]', async () => {
  const { sub } = await withMail('ida')
  const organization = { resourceId: 'nordwerk.service', label: 'Nordwerk Süd' }
  const answer = await ask(sub, { purpose: 'invitation', organization, language: 'de-DE' })
  expect(answer).toMatchObject({ mailed: true })
  expect(answer).not.toHaveProperty('url')
  const mail = await post.mailTo('ida@plant.example')
  expect(mail.from).toBe('noreply@longreach.test')
  for (const part of ['Nordwerk Süd', 'Einladung annehmen', 'text/plain', 'text/html']) {
    expect(mail.text).toContain(part)
  }
  const browser = testBrowser()
  const page = linkIn(mail)
  const shown = await browser.go(page)
  expect(shown.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await shown.text()).toContain('Willkommen bei Nordwerk Süd')
  const fields = { firstName: 'Ida', lastName: 'Roth', password: goodPassword }
  const refused = await browser.post(page, { ...fields, repeat: 'other' })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('value="Roth"')
  const saved = await browser.post(page, { ...fields, repeat: goodPassword })
  expect(await saved.text()).toContain('org=nordwerk.service')
  expect(await server.calls.account({ params: { sub } })).toMatchObject({
    firstName: 'Ida',
    lastName: 'Roth',
    emailVerified: true,
  })
  expect((await browser.go(page)).status).toBe(410)
})

test('an invitation lives for 7 days and a reset for 15 minutes, side by side', async () => {
  const { sub } = await withMail('jana')
  const hand = { handOver: true }
  const { url: invitation = '' } = await ask(sub, { ...hand, purpose: 'invitation' })
  const { url: reset = '' } = await ask(sub, hand)
  const open = async (url: string) => (await testBrowser().go(url)).status
  expect([await open(invitation), await open(reset)]).toEqual([200, 200])
  server.clock.aheadMs += 16 * minute
  expect([await open(invitation), await open(reset)]).toEqual([200, 410])
  server.clock.aheadMs += 7 * 24 * 60 * minute
  expect(await open(invitation)).toBe(410)
})

test('a newer link takes the older one’s waiting mail back; a new password ends every link', async () => {
  const { sub } = await withMail('kai')
  const { url: old = '' } = await ask(sub, { handOver: true, purpose: 'invitation' })
  const { url: newer = '' } = await ask(sub, { handOver: true, purpose: 'invitation' })
  const { url: reset = '' } = await ask(sub, { handOver: true })
  expect((await testBrowser().go(old)).status).toBe(410)
  expect((await testBrowser().post(reset, saving)).status).toBe(200)
  expect((await testBrowser().go(newer)).status).toBe(410)
})

test('attack 75: after another address, or for another account, a link opens nothing', async () => {
  const { sub } = await withMail('lena')
  const { url = '' } = await ask(sub, { handOver: true })
  await server.calls.updateAccount({ params: { sub }, body: { email: 'other@plant.example' } })
  const late = await testBrowser().post(url, saving)
  expect(late.status).toBe(410)
  expect(late.headers.get('referrer-policy')).toBe('no-referrer')
  const { url: own = '' } = await ask(sub, { handOver: true })
  const { sub: other } = await withMail('lars', { password: goodPassword })
  // What a form says about whom it is for counts nothing.
  await testBrowser().post(own, { ...saving, username: 'lars', sub: other })
  const { rows } = await server.database.pool.query(
    'select username from identity.account where password_hash is not null and username = any($1)',
    [['lena', 'lars']],
  )
  expect(rows).toHaveLength(2)
  expect((await testBrowser().post(own, saving)).status).toBe(410)
})

test('attack 37: the host of a request never gets into a mail', async () => {
  await withMail('mila', { password: goodPassword })
  const path = '/auth/realms/nordwerk/login-actions/reset-credentials'
  const answer = await server.app.inject({
    method: 'POST',
    url: path,
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'username=mila',
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).not.toContain('evil')
  const mail = await post.mailTo('mila@plant.example')
  expect(mail.text).not.toContain('evil')
  expect(linkIn(mail).startsWith(`${server.origin}/auth/realms/nordwerk/`)).toBe(true)
})

test('attack 102: no address and no label adds a header or a reader', async () => {
  const bad = [
    'a@b.example\r\nBcc: spy@evil.example',
    'a@b.example, spy@evil.example',
    'a@b.example;spy@evil.example',
    'Anna <a@b.example>',
    '"a"@b.example',
  ]
  for (const [index, email] of bad.entries()) {
    const { sub } = await withMail(`m${index}`, { email })
    const answer = await ask(sub)
    // The administrator hands the link over instead.
    expect(answer).toMatchObject({ mailed: false, url: expect.stringContaining('http') })
    await expect(changeEmail(deps(), { sub, email })).rejects.toThrow('email_refused')
  }
  const { sub } = await withMail('nora')
  const label = 'Nord\r\nBcc: spy@evil.example\r\n\r\nBody\u2028x'
  await ask(sub, { purpose: 'invitation', organization: { resourceId: 'nordwerk', label } })
  const mail = await post.mailTo('nora@plant.example')
  expect(mail.to).toEqual(['nora@plant.example'])
  const [headers = ''] = mail.text.split('\r\n\r\n')
  expect(headers).not.toMatch(/^Bcc:/im)
  expect(post.taken.flatMap(({ to }) => to)).not.toContain('spy@evil.example')
})

test('a mail server that refuses for now is asked again, and the call does not wait for it', async () => {
  const { sub } = await withMail('olga')
  post.refuse(451)
  expect(await ask(sub)).toMatchObject({ mailed: true })
  const tried = async () =>
    (await mails()).content.find(({ recipient }) => recipient === 'olga@plant.example')
  await expect.poll(async () => (await tried())?.attempts, { timeout: 60_000 }).toBe(1)
  await expect.poll(async () => (await tried())?.error, { timeout: 60_000 }).toContain('451')
  expect(await tried()).toMatchObject({ status: 'WAITING' })
  post.refuse()
  server.clock.aheadMs += 2 * minute
  await post.mailTo('olga@plant.example')
  await expect.poll(() => statusOf('olga@plant.example'), { timeout: 60_000 }).toBe('SENT')
})

test('a mail that the server may have got goes again with the same id', async () => {
  const { sub } = await withMail('pia')
  const strange = await scriptedServer({ content: 'end' })
  server.site.mail = strange.server
  try {
    await ask(sub)
    const tried = async () =>
      (await mails()).content.find(({ recipient }) => recipient === 'pia@plant.example')
    await expect.poll(async () => (await tried())?.error, { timeout: 60_000 }).toContain('closed')
    strange.state.script = {}
    server.clock.aheadMs += 2 * minute
    await expect.poll(() => statusOf('pia@plant.example'), { timeout: 60_000 }).toBe('SENT')
  } finally {
    server.site.mail = post.settings
    await strange.close()
  }
  const ids = strange.state.mails.map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1])
  expect(ids).toHaveLength(2)
  expect(ids[0]).toMatch(/^<[\d.]+@longreach\.test>$/)
  expect(ids[1]).toBe(ids[0])
})

test('a mail that is refused for good is shown and can be tried again, until its link is dead', async () => {
  const { sub } = await withMail('paul')
  post.refuse(550)
  await ask(sub)
  await expect.poll(() => statusOf('paul@plant.example'), { timeout: 60_000 }).toBe('FAILED')
  const { content, sending } = await mails()
  expect(sending).toBe(true)
  const failed = content.find(({ recipient }) => recipient === 'paul@plant.example')!
  const retry = (organization: string, all: boolean) =>
    server.calls.retryMail({
      params: { id: failed.id },
      body: { realm: 'nordwerk', organization, all },
    })
  await expect(retry('acqua', false)).rejects.toThrow('no_such_mail')
  post.refuse()
  const both = await Promise.allSettled([retry('', true), retry('', true)])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  await post.mailTo('paul@plant.example')
  expect(post.taken).toHaveLength(1)
  await expect.poll(() => statusOf('paul@plant.example'), { timeout: 60_000 }).toBe('SENT')
  await expect(retry('', true)).rejects.toThrow('mail_outlived')
})

test('what waits to be sent is sealed, and gone once it is', async () => {
  const { sub } = await withMail('rosa')
  await ask(sub)
  await post.mailTo('rosa@plant.example')
  await expect.poll(() => statusOf('rosa@plant.example'), { timeout: 60_000 }).toBe('SENT')
  const { rows } = await server.database.pool.query<{ content: Buffer | null }>(
    'select content from identity.mail',
  )
  for (const { content } of rows) expect(content?.toString('latin1') ?? '').not.toMatch(/http|html/)
  expect(rows.some(({ content }) => content === null)).toBe(true)
})

test('attack 77: an address changes when its reader confirms it, and the earlier one is told', async () => {
  const { sub } = await withMail('sven', { password: goodPassword })
  const { url: reset = '' } = await ask(sub, { handOver: true })
  await changeEmail(deps(), { sub, email: 'first@home.example' })
  await post.mailTo('first@home.example')
  await changeEmail(deps(), { sub, email: 'sven@home.example', language: 'fr' })
  const mail = await post.mailTo('sven@home.example')
  expect(mail.text).toContain('Confirmer l’adresse e-mail')
  const account = () => server.calls.account({ params: { sub } })
  expect((await testBrowser().go(linkIn(await post.mailTo('first@home.example')))).status).toBe(410)
  expect((await testBrowser().go(linkIn(mail))).status).toBe(200)
  expect(await account()).toMatchObject({ email: 'sven@plant.example' })
  const both = await Promise.all([1, 2].map(() => testBrowser().post(linkIn(mail), {})))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410])
  expect(await account()).toMatchObject({ email: 'sven@home.example', emailVerified: true })
  expect((await post.mailTo('sven@plant.example')).text).toContain('sven@home.example')
  expect((await testBrowser().go(reset)).status).toBe(410)
})

test('without a mail server the administrator gets the link, and no address can be proven', async () => {
  const { sub } = await withMail('tina')
  const { mail } = server.site
  delete server.site.mail
  try {
    const answer = await ask(sub, { purpose: 'invitation' })
    expect(answer).toMatchObject({ mailed: false, url: expect.stringContaining(server.origin) })
    await expect(changeEmail(deps(), { sub, email: 't@home.example' })).rejects.toMatchObject({
      code: 'identity.no_mail_server',
    })
    const page = await fetch(
      `${server.origin}/auth/realms/nordwerk/login-actions/reset-credentials`,
    )
    expect(await page.text()).toContain('Ask your administrator')
  } finally {
    if (mail) server.site.mail = mail
  }
})
