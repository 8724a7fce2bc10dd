import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Calls, signInByHttp } from './calls.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { enterPortal, faultsOf, patient } from './portal.ts'
import { startWireDevice, type WireDevice } from './wire-device.ts'

const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }

let longreach: Longreach
let browser: Browser
let call: Calls
let device: WireDevice
let deviceId = ''
beforeAll(async () => {
  const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
  longreach = await startLongreach({ env })
  browser = await openBrowser()
  call = await signInByHttp(longreach.url, owner)
  device = await connected('press-1')
})
afterAll(async () => {
  await device.stop()
  await browser.close()
  await longreach.stop()
})

/** Machine that is connected and announces its tags, without values. */
async function connected(label: string) {
  const made = await call<{ deviceId: string }>(
    'POST',
    'mappings/api/v1/devices?organization=main',
    { label },
  )
  deviceId = made.deviceId
  const path = `platform/api/v1/organizations/main/devices/${deviceId}/activationKey`
  const { activationKey } = await call<{ activationKey: string }>('POST', path, {})
  return startWireDevice({
    pairing: `${longreach.url}/pairing/api/v1/`,
    activationKey,
    ca: await (await fetch(`${longreach.url}/pairing/ca.crt`)).text(),
    format: 'json',
    tags: [
      { name: 'press.temperature', type: 'double' },
      { name: 'press.strokes', type: 'integer' },
    ],
  })
}

test('a machine is described, linked, watched and commented, from a model to a chart [R-10] [R-16] [C-26] [T-09]', async () => {
  const demo = { url: longreach.url, people: [{ ...owner, roles: 'owner' as const }] }
  const page = await enterPortal(browser, { demo, username: owner.username })

  // What its data are.
  await page.goto(`${demo.url}/models/new`)
  await page.getByLabel('Model name').fill('Press', patient)
  await page.getByRole('button', { name: 'Add a value' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('temperature')
  await name.press('Enter')
  await page.getByRole('combobox', { name: 'Unit' }).fill('°C')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Value', exact: true }).click()
  await name.fill('strokes')
  await name.press('Enter')
  await page.getByRole('button', { name: 'Create model' }).click()
  await page.getByRole('heading', { name: 'Press', level: 1 }).waitFor(patient)

  // Where they come from: matched by name with what the device says it has.
  await page.getByRole('button', { name: 'New preset' }).click()
  await page.getByRole('combobox', { name: 'Data points of' }).click(patient)
  await page.getByRole('option', { name: 'press-1' }).click(patient)
  await page.getByText('2 values match a data point by their name').waitFor(patient)
  await page.getByRole('button', { name: 'Link all' }).click()
  await page.getByText('2 of 2 linked').waitFor(patient)
  expect(await faultsOf(page, 'preset')).toEqual([])
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click(patient)
  await dialog.getByText('The preset was saved.').waitFor(patient)
  await dialog.getByRole('button', { name: 'Assign to…' }).click()
  await page.getByRole('button', { name: 'Assign', exact: true }).click(patient)
  await page.getByText('Applied by 1 of 1').waitFor(patient)
  expect(device.deaths).toEqual([])

  // Its values appear at once.
  await page.goto(`${demo.url}/devices/${deviceId}`)
  await page.getByRole('heading', { name: 'press-1', level: 1 }).waitFor(patient)
  await device.send('press.temperature', 71.5)
  await device.send('press.strokes', 12)
  await page.getByText('71.5').first().waitFor(patient)
  expect(await faultsOf(page, 'device')).toEqual([])

  // And beside what people say about it.
  await page.getByRole('link', { name: 'Explore data' }).click()
  await page.getByRole('heading', { name: 'Data explorer', level: 1 }).waitFor(patient)
  await page.getByRole('tabpanel').getByText('71.5').first().waitFor(patient)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await page.getByLabel('Comment text').fill('Tool changed')
  await page.getByRole('dialog').getByRole('button', { name: 'Save comment' }).click()
  await page.getByRole('dialog').waitFor({ ...patient, state: 'detached' })
  await page.getByText('Tool changed').first().waitFor(patient)
  expect(await faultsOf(page, 'explorer')).toEqual([])
  await page.context().close()
}, 180_000)
