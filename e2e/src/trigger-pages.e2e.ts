import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, faultsOf, patient } from './portal.ts'
import { startWireDevice, type WireDevice } from './wire-device.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const org = 'organization=main'

let longreach: Longreach
let browser: Browser
let call: Calls
let page: Page
let device: WireDevice | undefined

beforeAll(async () => {
  const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
  longreach = await startLongreach({ env })
  browser = await openBrowser()
  call = await signInByHttp(longreach.url, owner)
  await call('POST', `mappings/api/v1/models?${org}`, model)
  const demo = { url: longreach.url, people: [{ ...owner, roles: 'owner' as const }] }
  page = await enterPortal(browser, { demo, username: owner.username })
})
afterAll(async () => {
  await device?.stop()
  await browser?.close()
  await longreach?.stop()
})

const words = { label: '', description: '', unit: '', tags: [] }
const node = { type: 'object', instanceOf: 'Press:1.0.0', UUID: null, ...words }
const model = {
  name: 'Press:1.0.0',
  data: { ...node, properties: { temperature: { type: 'double', ...words, unit: '°C' } } },
}
const preset = {
  name: 'press',
  data: {
    ...node,
    properties: {
      temperature: {
        version: '1.0.0',
        type: 'double',
        mode: 'R',
        historyPolicy: { enabled: true },
        sendPolicy: {
          triggers: [
            { type: 'onchange', changeMask: 'value', minIntervalMs: 0, skipFirstNChanges: 0 },
          ],
        },
        datalink: { source: 'temperature' },
      },
    },
  },
}

/** Paired press that sends its temperature. */
async function press() {
  const { id: presetId } = await call<{ id: string }>(
    'POST',
    `mappings/api/v1/presets?${org}`,
    preset,
  )
  const { deviceId } = await call<{ deviceId: string }>('POST', `mappings/api/v1/devices?${org}`, {
    label: 'press-1',
    presetId,
  })
  const path = `platform/api/v1/organizations/main/devices/${deviceId}/activationKey`
  const { activationKey } = await call<{ activationKey: string }>('POST', path, {})
  const paired = await startWireDevice({
    pairing: `${longreach.url}/pairing/api/v1/`,
    activationKey,
    ca: await (await fetch(`${longreach.url}/pairing/ca.crt`)).text(),
    format: 'bson',
    tags: [{ name: 'temperature', type: 'double' }],
  })
  device = paired
  await expect.poll(() => paired.connections).toBe(2)
  return paired
}

test('a trigger is written in the portal, raises an alarm by a value, and its run says what it saw and did [R-23]', async () => {
  const paired = await press()
  await paired.send('temperature', 20)
  await page.goto(`${longreach.url}/trigger`)
  await page.getByText('No triggers yet').waitFor(patient)
  await page.getByRole('button', { name: 'New trigger' }).first().click(patient)
  await page.getByLabel('Name', { exact: true }).fill('Press in its band')
  await page.getByRole('combobox', { name: 'Data point' }).fill('Press:1/temperature')
  await page.keyboard.press('Escape')
  await page.getByLabel('Lower limit', { exact: true }).fill('180')
  await page.getByLabel('Upper limit', { exact: true }).fill('200')
  await page.getByLabel('For at least (optional)', { exact: true }).fill('0')
  await page.getByRole('button', { name: 'Add action' }).click()
  await page.getByRole('menuitem', { name: 'Raise alarm' }).click()
  await page.getByLabel('Name of the alarm', { exact: true }).fill('In its band')
  await page.getByText('Everything is complete.').waitFor(patient)
  expect(await faultsOf(page, 'new trigger')).toEqual([])
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.getByText('No runs', { exact: true }).waitFor(patient)
  await paired.send('temperature', 190)
  await page.getByRole('button', { name: /Acted press-1 fired/ }).click(patient)
  await page.getByRole('cell', { name: '190' }).waitFor(patient)
  await page.getByText('temperature is between 180 and 200').first().waitFor(patient)
  await page.getByText('Done', { exact: true }).waitFor(patient)
  expect(await faultsOf(page, 'run of a trigger')).toEqual([])
  await page.goto(`${longreach.url}/alarms`)
  await page.getByText('In its band').first().waitFor(patient)
  expect(paired.deaths).toEqual([])
})
