import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf, patient } from './portal.ts'
import { openOwnersPortal, type PressWorld, startPressWorld } from './press-world.ts'

let world: PressWorld
let browser: Browser
let page: Page

beforeAll(async () => {
  world = await startPressWorld()
  ;({ browser, page } = await openOwnersPortal(world))
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

test('a trigger is written in the portal, raises an alarm by a value, and its run says what it saw and did [R-23]', async () => {
  const { device: paired } = await world.press('press-1')
  await paired.send('temperature', 20)
  await page.goto(`${world.longreach.url}/trigger`)
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
  await page.goto(`${world.longreach.url}/alarms`)
  await page.getByText('In its band').first().waitFor(patient)
  expect(paired.deaths).toEqual([])
})
