import { toDataPage } from '@longreach/kit/contract'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Answers } from '../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { section } from './section.ts'

const mappings = '/svc/mappings/api/v1'
const platform = '/svc/platform/api/v1/organizations/nordwerk.*'
const device = (more = {}) => ({
  id: 'd1',
  deviceId: 'd1',
  realmId: 'nordwerk',
  name: 'Oven',
  label: 'Oven',
  description: '',
  serialNumber: '',
  orgResourceId: 'nordwerk',
  deleted: false,
  creationDate: 0,
  updatedAt: 0,
  connected: false,
  lastConnUpdateAt: 0,
  lastConfigUpdateAt: 0,
  configurationSent: false,
  configurationApplied: false,
  configurationError: null,
  presetId: null,
  presetName: null,
  modelId: null,
  modelName: null,
  modelVersion: null,
  attributes: {},
  tags: [],
  groups: [],
  isGateway: true,
  vpnName: null,
  ...more,
})
const listOf = (data: unknown[]) => ({
  ...toDataPage(data, data.length, { page: 0, pageSize: 100 }),
  timestamp: 0,
})
const preset = {
  id: 'p1',
  realmId: 'nordwerk',
  modelId: 'm1',
  modelName: 'Oven',
  name: 'Ovens',
  nameRaw: 'Ovens',
  version: '1.0.0',
  orgResourceId: 'nordwerk',
  deleted: false,
  creationDate: 0,
  updatedAt: 0,
}
let there = device()
let sent: { call: string; body: unknown }[] = []
const answers = (more: Answers = {}): Answers => {
  const told = (method: string, result: () => unknown) => (url: URL, body: unknown) => {
    sent.push({ call: `${method} ${url.pathname}`, body })
    return result()
  }
  return {
    [`GET ${mappings}/devices`]: () => listOf([]),
    [`GET ${mappings}/devices/d1`]: () => ({ value: there }),
    [`GET ${mappings}/presets`]: () => listOf([preset]),
    [`POST ${mappings}/devices`]: told('POST', () => there),
    [`PATCH ${mappings}/devices/d1`]: told('PATCH', () => ({ ...there, configurationJson: null })),
    [`GET ${platform}/devices/d1/series`]: () => [],
    [`GET ${platform}/devices/d1/availableTags`]: () => [
      { name: 'air', type: 'double' },
      { name: 'lamp', type: 'boolean' },
    ],
    [`POST ${platform}/devices/d1/activationKey`]: told('POST', () => ({
      activationKey: 'AAAA-BBBB',
      pairingEndpoint: 'https://portal.example/pair',
      authorityUrl: 'https://portal.example/ca',
      issuedAt: '2026-01-01T00:00:00Z',
      issuedBy: 'erika',
      expiresAt: null,
      mostUses: null,
      uses: 0,
      lastUsedAt: null,
    })),
    ...more,
  }
}
beforeEach(async () => {
  queries.clear()
  sent = []
  there = device()
  await desktop()
  answer(answers())
})
const open = (search = '', who = session()) =>
  openPortal(`/walkthrough${search}`, { sections: [section], who })
const reader = ['portal:access', 'devices:read', 'models:read'] as const
const button = (name: string) => page.getByRole('button', { name, exact: true })
const step = (title: string) => page.getByRole('region', { name: title })
const nameField = () => page.getByRole('textbox', { name: 'Name' })

test('the first step asks what is to be connected, and leads on only then [R-11]', async () => {
  await open()
  await expect.element(step('1. Select a type')).toBeVisible()
  await expect.element(button('Next')).toBeDisabled()
  expect(await faults()).toEqual([])
  await page.getByRole('radio', { name: /A simulated machine/ }).click()
  await button('Next').click()
  await expect.element(step('2. Name it')).toBeVisible()
  await expect.poll(() => location.search).toBe('?kind=simulator&step=2')
})

test('a device that somebody began with can be gone on with', async () => {
  answer(
    answers({
      [`GET ${mappings}/devices`]: () =>
        listOf([
          device(),
          device({ deviceId: 'd2', label: 'Done', presetId: 'p', lastConnUpdateAt: 5 }),
        ]),
    }),
  )
  await open()
  expect(button('Done').elements()).toEqual([])
  await button('Oven').click()
  await expect.element(step('3. Connect it')).toBeVisible()
})

test('a device needs a name, and is made with the preset that was chosen', async () => {
  await open('?kind=own&step=2')
  await button('Create device').click()
  await expect.element(page.getByText('Enter a name for the device')).toBeVisible()
  await expect.element(nameField()).toHaveFocus()
  expect(sent).toEqual([])
  await nameField().fill(' Oven ')
  await page.getByRole('combobox', { name: 'Model' }).click()
  await page.getByRole('option', { name: 'Ovens' }).click()
  await button('Create device').click()
  await expect.element(step('3. Connect it')).toBeVisible()
  expect(sent).toEqual([
    { call: `POST ${mappings}/devices`, body: { label: 'Oven', presetId: 'p1' } },
  ])
})

test('a name that is taken is said at its field; another failure below', async () => {
  let refusal = refusedWith(409, 'mappings.label_taken', { field: 'label' })
  answer(answers({ [`POST ${mappings}/devices`]: () => refusal }))
  await open('?kind=own&step=2&name=Oven')
  await button('Create device').click()
  await expect.element(page.getByText(/This name is already taken/)).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
  refusal = refusedWith(403, 'auth.missing_permission', { permission: 'devices:create' })
  await button('Create device').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/devices:create/)
})

test('going back to the name renames the device instead of making a second one', async () => {
  await open('?kind=own&step=2&device=d1')
  await expect.element(nameField()).toHaveValue('Oven')
  await nameField().fill('Oven 7')
  await button('Next').click()
  await expect.element(step('3. Connect it')).toBeVisible()
  expect(sent).toEqual([{ call: `PATCH ${mappings}/devices/d1`, body: { label: 'Oven 7' } }])
})

test('the command to type has the key, which is shown once, for each system', async () => {
  await open('?kind=own&step=3&device=d1')
  await expect.element(page.getByText('Waiting for the device to connect…')).toBeVisible()
  await button('Show activation key').click()
  await page.getByRole('tab', { name: 'Linux, macOS' }).click()
  await expect.element(page.getByText(/export ACTIVATION_KEY='AAAA-BBBB'/)).toBeVisible()
  await page.getByRole('tab', { name: 'Windows (PowerShell)' }).click()
  await expect.element(page.getByText(/\$env:ACTIVATION_KEY = 'AAAA-BBBB'/)).toBeVisible()
  expect(await faults()).toEqual([])
})

test('who may not change devices makes no key, and sees why', async () => {
  const permissions = new Set([...reader, 'devices:create'] as const)
  await open('?kind=own&step=3&device=d1', session({ permissions }))
  await expect.element(button('Show activation key')).toBeDisabled()
})

test('the page turns by itself when the device connects', async () => {
  await open('?kind=gateway&step=3&device=d1')
  await expect.element(button('Continue without it')).toBeVisible()
  there = device({ connected: true, lastConnUpdateAt: Date.now() })
  await expect.element(page.getByText('The device is connected')).toBeVisible()
  await button('Next').click()
  await expect.element(step('4. Select values')).toBeVisible()
})

test('values are chosen among those that the device announces; without one nothing is made', async () => {
  await open('?kind=gateway&step=4&device=d1')
  await expect.element(button('Use 2 values')).toBeEnabled()
  await page.getByRole('checkbox', { name: 'air' }).click()
  await expect.element(button('Use 1 value')).toBeEnabled()
  await page.getByRole('checkbox', { name: 'lamp' }).click()
  await expect.element(button('Use no value')).toBeDisabled()
  await page.getByRole('checkbox', { name: 'air' }).click()
  await expect.element(button('Use 1 value')).toBeEnabled()
  await expect.poll(() => location.search).toContain('not=lamp')
})

test('who may not make models is told whom to ask', async () => {
  const permissions = new Set([...reader, 'devices:create', 'devices:update'] as const)
  await open('?kind=gateway&step=4&device=d1', session({ permissions }))
  await expect.element(page.getByText(/Ask an administrator for a preset/)).toBeVisible()
  await expect.element(button('Use 2 values')).toBeDisabled()
})

test('a device that has a preset already needs no values chosen', async () => {
  there = device({ presetId: 'p1', presetName: 'Ovens' })
  await open('?kind=gateway&step=4&device=d1')
  await expect.element(page.getByText(/The device has the preset Ovens/)).toBeVisible()
  await button('Next').click()
  await expect.element(page.getByText('Waiting for the first value…')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Open device' }))
    .toHaveAttribute('href', '/devices/d1')
})

test('a step is not reached by its address before the ones that lead to it', async () => {
  await open('?step=5')
  await expect.element(step('1. Select a type')).toBeVisible()
  const steps = page.getByRole('navigation', { name: 'Steps' }).getByRole('button')
  const open3 = steps.elements().map((one) => !(one as HTMLButtonElement).disabled)
  expect(open3).toEqual([true, false, false, false, false])
})

test('a device of another organization is not gone on with', async () => {
  await open('?kind=own&step=3&device=elsewhere')
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(button('Show activation key').elements()).toEqual([])
})

test('on a phone the steps fit', async () => {
  await phone()
  await open('?kind=own&step=3&device=d1')
  await expect.element(button('Show activation key')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
