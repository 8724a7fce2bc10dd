import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../../parts/api/queries.ts'
import { answer, desktop, faults, misplaced, openPortal, phone } from '../../../page-testing.tsx'
import { testDevice } from '../../../device-testing.ts'
import { section as devicesSection } from '../section.ts'

const id = 'AAAAAAAAAAAAAAAAAAAAAA'
const base = `/svc/platform/api/v1/organizations/nordwerk.*/devices/${id}`
const now = Date.now()
const path = 'Oven:1/setPoint'
const model = {
  presetId: 'p',
  presetName: 'Ovens',
  modelId: 'm',
  modelName: 'Oven',
  modelVersion: '1.0.0',
}
const device = testDevice(id, 'Oven 1', model)
let limits: object
let value: number
let secondPerson: boolean
let sent: unknown[]
const request = () => ({
  id: '0f8a1d3e-1111-4222-8333-444455556666',
  deviceId: id,
  modelPath: path,
  v: 190,
  before: value,
  reason: 'trial',
  by: 'tom',
  own: false,
  at: now,
  expiresAt: now + 3_600_000,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  result: null,
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  limits = {}
  value = 185
  secondPerson = false
  sent = []
  answer({
    [`GET /svc/mappings/api/v1/devices/${id}`]: () => ({ value: device }),
    [`GET ${base}/series`]: () => [
      { modelPath: path, type: 'double', mode: 'RW', last: { t: now, v: value, q: 192 } },
    ],
    [`GET ${base}/configuration`]: () => ({
      configurationJson: {
        type: 'datamodel',
        properties: {
          Oven: {
            type: 'object',
            instanceOf: 'Oven:1.0.0',
            properties: {
              setPoint: { type: 'double', mode: 'RW', label: 'Set-point', unit: '°C', ...limits },
            },
          },
        },
      },
      configurationFromDevice: null,
      sentAt: now,
      applied: true,
      error: null,
    }),
    [`GET ${base}/timeline`]: () => ({
      data: [
        {
          id: crypto.randomUUID(),
          at: now - 60_000,
          until: null,
          kind: 'write',
          by: 'eva',
          own: false,
          modelPath: path,
          data: { from: 180, to: 185, status: 'confirmed', reason: 'warmer' },
        },
      ],
      next: null,
    }),
    'GET /svc/platform/api/v1/organizations/nordwerk/writePolicy': () => ({
      secondPerson,
      from: secondPerson ? 'nordwerk' : null,
    }),
    [`GET ${base}/writeRequests`]: () => (secondPerson ? [request()] : []),
    [`POST ${base}/tags`]: (_, body) => {
      sent.push(body)
      const { v } = (body as { data: { v: number }[] }).data[0] ?? { v: 0 }
      value = v
      return { data: [{ modelPath: path, status: 'confirmed', value: v, t: now }] }
    },
    [`POST ${base}/writeRequests`]: (_, body) => {
      sent.push(body)
      return { ...request(), own: true, by: 'erika' }
    },
    [`POST ${base}/writeRequests/${request().id}/approve`]: (_, body) => {
      sent.push(body)
      return { ...request(), state: 'approved', result: 'confirmed' }
    },
  })
})

const atFirst = { timeout: 45_000 }
async function openDialog() {
  await openPortal(`/devices/${id}?tab=data`, { sections: [devicesSection] })
  await page.getByRole('button', { name: /^Write Set-point/ }).click(atFirst)
  await expect.element(page.getByLabelText('New value')).toBeVisible()
}
const field = () => page.getByLabelText('New value')
const write = () => page.getByRole('button', { name: 'Write to Oven 1' })

test('a large change without limits is asked for again, is kept with its reason, and then closing is the main act', async () => {
  await openDialog()
  await expect.element(page.getByText('The model sets no limits.')).toBeVisible()
  await expect.element(page.getByText('180 °C → 185 °C')).toBeVisible()
  await expect.element(write()).toBeDisabled()
  await field().fill('9999')
  await page.getByLabelText('Reason (optional)').fill('burn in')
  await write().click()
  await expect.element(page.getByText(/is a large change/)).toBeVisible()
  expect(sent).toEqual([])
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(page.getByRole('dialog').element())).toEqual([])
  await page.getByRole('button', { name: 'Write anyway' }).click()
  await expect.element(page.getByText('Confirmed by the device: 9,999 °C')).toBeVisible()
  expect(sent).toMatchObject([{ data: [{ modelPath: path, v: 9999 }], reason: 'burn in' }])
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' }).last()
  await expect.element(close).toHaveAttribute('data-variant', 'filled')
})

test('limits of the model are shown and hold; a small change needs no second word', async () => {
  limits = { min: 0, max: 250 }
  await openDialog()
  await expect.element(page.getByText('From 0 to 250')).toBeVisible()
  await field().fill('251')
  await expect.element(page.getByText('The maximum is 250.')).toBeVisible()
  await expect.element(write()).toBeDisabled()
  await field().fill('190')
  await write().click()
  await expect.element(page.getByText('Confirmed by the device: 190 °C')).toBeVisible()
})

test('what is typed counts beside the live value, not beside the one of before', async () => {
  limits = { min: 0, max: 250 }
  await openDialog()
  value = 180
  await queries.invalidateQueries()
  await expect.element(page.getByRole('dialog').getByText('180 °C → 185 °C').first()).toBeVisible()
  await expect.element(write()).toBeEnabled()
})

test('where two persons are needed a write is requested, and another person approves it', async () => {
  secondPerson = true
  limits = { min: 0, max: 250 }
  await openDialog()
  await field().fill('190')
  await page.getByRole('button', { name: 'Request approval' }).click()
  await expect
    .element(page.getByText(/The value is written when another person approves it/))
    .toBeVisible()
  expect(sent).toMatchObject([{ modelPath: path, v: 190 }])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect.element(page.getByText('Set-point: 185 °C → 190 °C')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Approve and write' }).click()
  await expect.poll(() => sent.length).toBe(2)
})

test('who reads another unit types in that of the device, sees both, and is asked where a number may be of the other one', async () => {
  localStorage.setItem('longreach.temperature', '"fahrenheit"')
  limits = { min: 0, max: 400.25 }
  await openDialog()
  const dialog = page.getByRole('dialog')
  await expect
    .element(
      dialog.getByText('In °C, the unit of the device. From 0 °C (32 °F) to 400.25 °C (752.5 °F)'),
    )
    .toBeVisible()
  await expect.element(dialog.getByText('185 °C (365 °F)')).toBeVisible()
  await expect.element(dialog.getByText('356 °F → 365 °F')).toBeVisible()
  await expect.element(field()).toHaveValue('185')
  await field().fill('401')
  await expect.element(page.getByText('The maximum is 400.25 °C (752.5 °F).')).toBeVisible()
  await field().fill('365')
  await expect.element(page.getByText('185 °C (365 °F) → 365 °C (689 °F)')).toBeVisible()
  await write().click()
  await expect.element(page.getByText(/is a large change, entered in °C/)).toBeVisible()
  expect(sent).toEqual([])
  expect(await faults()).toEqual([])
  await phone()
  expect(misplaced(dialog.element())).toEqual([])
  await field().fill('190')
  await write().click()
  await expect.element(page.getByText('Confirmed by the device: 190 °C (374 °F)')).toBeVisible()
  expect(sent).toMatchObject([{ data: [{ modelPath: path, v: 190 }] }])
})

test('who approves a write reads it as the device will get it, too', async () => {
  localStorage.setItem('longreach.temperature', '"fahrenheit"')
  secondPerson = true
  await openPortal(`/devices/${id}?tab=data`, { sections: [devicesSection] })
  const asked = page.getByText('Set-point: 185 °C (365 °F) → 190 °C (374 °F)')
  await expect.element(asked, atFirst).toBeVisible()
})
