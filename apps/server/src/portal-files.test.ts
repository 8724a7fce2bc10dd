import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPortal } from './build-portal.ts'
import { portalFiles } from './portal-files.ts'

const site = { origin: 'https://portal.example.org', dataDir: '', mqttPort: 0 }
let app: FastifyInstance
beforeAll(async () => {
  await buildPortal(() => undefined).packed
  app = Fastify()
  await portalFiles(app, site, { i18nHost: 'https://words.example.org/longreach' })
})
afterAll(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'portal.example.org', accept: 'text/html', ...headers } })

test('every path of the portal answers its page, never kept', async () => {
  for (const url of ['/', '/devices', '/devices/abc?x=1', '/organization']) {
    const { statusCode, headers, body } = await get(url)
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-cache'])
    expect(body).toContain('<div id="root">')
  }
})

test('a page may run its own scripts only, and speak to the host of words [C-40]', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain(
    "connect-src 'self' https://portal.example.org https://words.example.org;",
  )
  expect((await get('/portal-settings.json')).json()).toEqual({
    i18nHost: 'https://words.example.org/longreach',
    origin: site.origin,
  })
})

test('without a Keycloak the page may frame and call its own origin and the words only', async () => {
  const policy = String((await get('/')).headers['content-security-policy'])
  expect(policy).toContain("frame-src 'self' https://portal.example.org;")
  expect((await get('/portal-settings.json?realm=nordwerk')).json()).not.toHaveProperty(
    'identityRealm',
  )
})

test('with a Keycloak the page may call and frame its origin, and learns where a realm is there', async () => {
  const other = Fastify()
  const realms = new Map([['nordwerk', 'plants']])
  const keycloak = { url: 'https://id.example.org:8443/auth', realms }
  await portalFiles(other, site, { keycloak })
  const ask = async (url: string) => other.inject({ url, headers: { host: 'portal.example.org' } })
  const policy = String((await ask('/')).headers['content-security-policy'])
  expect(policy).toContain(
    "connect-src 'self' https://portal.example.org https://id.example.org:8443;",
  )
  expect(policy).toContain(
    "frame-src 'self' https://portal.example.org https://id.example.org:8443;",
  )
  expect(policy).toContain("script-src 'self';")
  const told = async (query: string) => (await ask(`/portal-settings.json${query}`)).json()
  const identityUrl = keycloak.url
  const { origin } = site
  expect(await told('')).toEqual({ origin, identityUrl })
  expect(await told('?realm=nordwerk')).toEqual({ origin, identityUrl, identityRealm: 'plants' })
  expect(await told('?realm=acqua')).toEqual({ origin, identityUrl, identityRealm: 'acqua' })
  expect(await told('?realm=a&realm=b')).toEqual({ origin, identityUrl })
  await other.close()
})

test('a request for another host is led to the one origin', async () => {
  const { statusCode, headers } = await get('/devices?a=1', { host: 'evil.example' })
  expect([statusCode, headers.location]).toEqual([302, 'https://portal.example.org/devices?a=1'])
})

test('the host of an organization has the page, which signs in at the one origin [C-04]', async () => {
  const answer = await get('/devices', { host: 'nordwerk.portal.example.org' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-security-policy']).toContain(`frame-src 'self' ${site.origin};`)
  const other = await get('/devices', { host: 'a.nordwerk.portal.example.org' })
  expect([other.statusCode, other.headers.location]).toEqual([302, `${site.origin}/devices`])
})

test('hashed files are kept for a year', async () => {
  const script = /src="(\/assets\/[^"]+\.js)"/.exec((await get('/')).body)?.[1] ?? ''
  const { statusCode, headers } = await get(script, { 'accept-encoding': 'br' })
  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toContain('immutable')
  expect(headers['content-encoding']).toBe('br')
})

test('a build that was interrupted is served at once, and its best compression is made up for', async () => {
  const dist = fileURLToPath(new URL('../../portal/dist/', import.meta.url))
  await Promise.all(['favicon.svg.br', '.packed'].map((name) => rm(path.join(dist, name))))
  const asked = { 'accept-encoding': 'br, gzip' }
  expect((await get('/favicon.svg', asked)).headers['content-encoding']).toBe('gzip')
  const portal = buildPortal((text) => expect.unreachable(text))
  await portal.served
  await portal.packed
  expect((await get('/favicon.svg', asked)).headers['content-encoding']).toBe('br')
  expect(existsSync(path.join(dist, '.packed'))).toBe(true)
})

test('an unknown call is an error in the one form, not a page [X-05]', async () => {
  for (const url of ['/svc/nothing/api/v1/x', '/auth/nothing', '/pairing/nothing']) {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ statusCode: 404, code: 'request.no_such_path' })
  }
})

test('while the portal is being built its pages wait, and calls do not', async () => {
  const building = Promise.withResolvers<void>()
  const early = Fastify()
  early.get('/svc/early', () => ({ there: true }))
  await portalFiles(early, site, {}, building.promise)
  const headers = { host: 'portal.example.org', accept: 'text/html' }
  const answers: string[] = []
  const asked = early.inject({ url: '/devices', headers }).then(({ body }) => answers.push(body))
  expect((await early.inject({ url: '/svc/early' })).json()).toEqual({ there: true })
  expect(answers).toEqual([])
  building.resolve()
  await asked
  expect(answers).toEqual([expect.stringContaining('<div id="root">')])
  await early.close()
})
