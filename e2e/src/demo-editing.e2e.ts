import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, personOf, signInByHttp } from './calls.ts'
import type { DemoFile } from './longreach.ts'
import { enterPortal, goTo, patient } from './portal.ts'
import { sharedDemo } from './shared-worlds.ts'

let browser: Browser
let demo: DemoFile
beforeAll(async () => {
  browser = await openBrowser()
  demo = await sharedDemo('edited')
})
afterAll(() => browser.close())

type Listed = { data: { id: string; name: string }[] }
type Device = { deviceId: string; presetId: string }
const api = 'mappings/api/v1'
const slowly = { timeout: 60_000 }

test.each([
  ['anna', 'nordwerk'],
  ['paola', 'acqua'],
])(
  'every preset of %s can be renamed and saved, tried on a device that has it [C-26]',
  async (username, organization) => {
    const call = await signInByHttp(demo.url, personOf(demo, username))
    const page = await enterPortal(browser, { demo, username })
    const { data: presets } = await call<Listed>('GET', list('presets', organization))
    const { data: devices } = await call<{ data: Device[] }>(
      'GET',
      list('devices', `${organization}.*`),
    )
    expect(presets.length).toBeGreaterThan(0)
    for (const { id, name } of presets) {
      const device = devices.find(({ presetId }) => presetId === id)?.deviceId
      const query = device === undefined ? '' : `?device=${device}`
      await goTo(page, demo.url, `/presets/${id}${query}`)
      await page.getByRole('textbox', { name: /^Name/ }).fill(`${name} 2`)
      await page.getByRole('button', { name: 'Save…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click(patient)
      await expect.poll(() => presetName(call, organization, id), slowly).toBe(`${name} 2`)
      expect(await dialog.getByRole('alert').count()).toBe(0)
    }
    await page.context().close()
  },
)

test.each([
  ['anna', 'nordwerk'],
  ['paola', 'acqua'],
])('every model of %s can be described anew and saved [C-26]', async (username, organization) => {
  const call = await signInByHttp(demo.url, personOf(demo, username))
  const page = await enterPortal(browser, { demo, username })
  const { data: models } = await call<Listed>('GET', list('models', organization))
  expect(models.length).toBeGreaterThan(0)
  for (const { id, name } of models) {
    await goTo(page, demo.url, `/models/${id}`)
    await describeFirstValue(page, `Looked at ${name}`)
    await page.getByRole('button', { name: 'Save…' }).click(patient)
    const save = page.getByRole('dialog').getByRole('button', { name: /^Save as / })
    await save.click(patient)
    await save.waitFor({ state: 'detached', ...patient })
    await expect.poll(() => textOfModels(call, organization), slowly).toContain(`Looked at ${name}`)
  }
  await page.context().close()
})

const list = (what: string, organization: string) =>
  `${api}/${what}?organization=${organization}&pageSize=50`

async function presetName(call: Calls, organization: string, id: string) {
  type Answer = { value: { name: string } }
  const { value } = await call<Answer>('GET', `${api}/presets/${id}?organization=${organization}`)
  return value.name
}

/** The tree's first line below the model gets a description. */
async function describeFirstValue(page: Page, text: string) {
  await page.locator('[role=treeitem][aria-level="2"]').first().click(patient)
  await page.getByRole('textbox', { name: 'Description' }).fill(text)
}

const textOfModels = async (call: Calls, organization: string) =>
  JSON.stringify(await call<Listed>('GET', list('models', organization)))
