import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const json = (body: unknown, status = 200) => Response.json(body, { status })
let answer: () => Response
let asked: string[]
beforeEach(() => {
  asked = []
  vi.resetModules()
  vi.stubGlobal('fetch', async (input: string) => {
    asked.push(input)
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())
/** The module as a page that was just opened has it. */
const fresh = () => import('./settings.ts')

test('the settings are asked for once', async () => {
  answer = () => json({ i18nHost: 'https://words.example' })
  const { portalSettings } = await fresh()
  expect(await portalSettings()).toEqual({ i18nHost: 'https://words.example' })
  await portalSettings()
  expect(asked).toEqual(['/portal-settings.json'])
})

test('a server of pages alone has none: it answers with a page', async () => {
  answer = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  const { portalSettings, settingsOfRealm } = await fresh()
  expect(await portalSettings()).toEqual({})
  expect(await settingsOfRealm('nordwerk')).toEqual({})
})

test('settings that cannot be had are none for words, and a failure for signing in', async () => {
  answer = () => json({}, 503)
  const { portalSettings, settingsOfRealm } = await fresh()
  expect(await portalSettings()).toEqual({})
  await expect(settingsOfRealm('nordwerk')).rejects.toThrow('The settings did not come: 503')
})

test('after a failure they are asked for again', async () => {
  answer = () => json({}, 503)
  const { portalSettings } = await fresh()
  await portalSettings()
  answer = () => json({ origin: 'https://portal.example' })
  expect(await portalSettings()).toEqual({ origin: 'https://portal.example' })
})

test('where people sign in at a Keycloak, the name of the realm there is asked for', async () => {
  answer = () => json({ identityUrl: 'https://id.example', identityRealm: 'NW' })
  const { settingsOfRealm } = await fresh()
  expect(await settingsOfRealm('nord werk')).toMatchObject({ identityRealm: 'NW' })
  expect(asked).toEqual(['/portal-settings.json', '/portal-settings.json?realm=nord+werk'])
})

test('where they sign in at the product itself, nothing more is asked', async () => {
  answer = () => json({})
  const { settingsOfRealm } = await fresh()
  await settingsOfRealm('nordwerk')
  expect(asked).toHaveLength(1)
})
