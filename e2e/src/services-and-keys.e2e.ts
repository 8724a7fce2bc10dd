import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { personOf, signInByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { enterPortal, patient } from './portal.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('demo')
})
afterAll(() => browser.close())

type Listed = { data: { deviceId: string; label: string }[] }

const devices = (organization: string) =>
  `${demo.url}/svc/mappings/api/v1/devices?organization=${organization}`
const forms = (key: string): Record<string, string>[] => [
  { 'x-api-key': key },
  { authorization: key },
  { authorization: `Bearer ${key}` },
]
const statuses = (key: string, organization = 'acqua') =>
  Promise.all(
    forms(key).map(async (headers) => (await fetch(devices(organization), { headers })).status),
  )

test('an API key is shown once, reads and writes in three forms, and ends when it is revoked [P-04] [C-16]', async () => {
  const page = await enterPortal(browser, { demo, username: 'paola' })
  await page.goto(`${demo.url}/apikeys`)
  await page.getByRole('button', { name: 'New API key' }).first().click(patient)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Shift report', patient)
  await dialog.getByRole('button', { name: 'All', exact: true }).click(patient)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Copy the API key now').waitFor(patient)
  const key = (await dialog.locator('code').first().textContent()) ?? ''
  expect(key).toMatch(/^lrk_/)
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByText('Shift report').first().waitFor(patient)
  expect(await page.content()).not.toContain(key)

  expect(await statuses(key)).toEqual([200, 200, 200])
  expect(await statuses(key, 'nordwerk')).toEqual([404, 404, 404])
  for (const [index, credential] of forms(key).entries()) {
    const { data } = (await (
      await fetch(devices('acqua'), { headers: credential })
    ).json()) as Listed
    const [device] = data
    const answer = await fetch(
      `${demo.url}/svc/mappings/api/v1/devices/${device?.deviceId ?? ''}?organization=acqua`,
      {
        method: 'PATCH',
        headers: { ...credential, 'content-type': 'application/json' },
        body: JSON.stringify({ description: `Written ${index}` }),
      },
    )
    expect(answer.status).toBe(200)
  }
  await page.goto(`${demo.url}/apikeys`)
  await page.getByText('Shift report').first().click(patient)
  await page.getByRole('button', { name: 'Revoke' }).click(patient)
  await dialog.getByRole('textbox').fill('Shift report')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await dialog.waitFor({ ...patient, state: 'hidden' })
  await expect.poll(() => statuses(key), patient).toEqual([401, 401, 401])
  await page.context().close()
})

test('a service account gets a token with its secret and reads; a renewed secret ends the old [C-04]', async () => {
  const page = await enterPortal(browser, { demo, username: 'paola' })
  await page.goto(`${demo.url}/permission`)
  await page.getByRole('button', { name: 'More actions' }).click(patient)
  await page.getByRole('menuitem', { name: 'Create service account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill('erp', patient)
  await dialog.getByLabel('Roles').first().click()
  await page.getByRole('option', { name: 'Viewer' }).click(patient)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('The secret is shown only once').waitFor(patient)
  const [client = '', secret = ''] = await dialog.locator('code').allTextContents()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.context().close()

  const tokenBy = async (client_secret: string) => {
    const fields = { grant_type: 'client_credentials', client_id: client, client_secret }
    return fetch(`${demo.url}/auth/realms/acqua/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, scope: 'openid org:acqua' }),
    })
  }
  expect((await tokenBy(`${secret}x`)).status).toBe(401)
  const { access_token: token } = (await (await tokenBy(secret)).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const read = await fetch(devices('acqua'), { headers })
  expect([read.status, await read.text()]).toEqual([200, expect.stringContaining('pump-station-3')])
  expect((await fetch(devices('nordwerk'), { headers })).status).toBe(404)
  const write = await fetch(`${demo.url}/svc/core/api/v1/organizations/acqua/userGroups`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Mine' }),
  })
  expect(write.status).toBe(403)

  const call = await signInByHttp(demo.url, personOf(demo, 'paola'))
  const place = `core/api/v1/organizations/acqua/clients/${client}/secret`
  const renewed = await call<{ clientSecret: string }>('POST', place, {})
  expect((await tokenBy(secret)).status).toBe(401)
  expect((await tokenBy(renewed.clientSecret)).status).toBe(200)
  await expect
    .poll(async () => (await fetch(devices('acqua'), { headers })).status, patient)
    .toBe(401)
})
