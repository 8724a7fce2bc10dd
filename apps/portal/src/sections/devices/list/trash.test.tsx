import { toDataPage } from '@longreach/kit/contract'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Answers } from '../../../page-answers.ts'
import { answer, desktop, faults, openPortal, phone } from '../../../page-testing.tsx'
import { refusedWith } from '../../../parts/api/calls-testing.ts'
import { queries } from '../../../parts/api/queries.ts'
import { section } from '../section.ts'

const mappings = '/svc/mappings/api/v1'
const day = 86_400_000
const now = Date.now()
const deleted = (n: number, more = {}) => ({
  id: `device-${n}`,
  deviceId: `device-${n}`,
  realmId: 'nordwerk',
  name: `Oven ${n}`,
  label: `Oven ${n}`,
  description: '',
  serialNumber: '',
  orgResourceId: 'nordwerk',
  deleted: true,
  creationDate: now - 100 * day,
  updatedAt: now,
  connected: false,
  lastConnUpdateAt: 0,
  lastConfigUpdateAt: now,
  configurationSent: true,
  configurationApplied: true,
  configurationError: null,
  presetId: 'p',
  presetName: 'Ovens',
  modelId: 'm',
  modelName: 'Oven',
  modelVersion: '1.0.0',
  attributes: {},
  tags: [],
  groups: [],
  isGateway: true,
  vpnName: null,
  deletedAt: now - day,
  deletedBy: 'anna',
  purgedAt: now + 29 * day,
  ...more,
})
const both = [deleted(1), deleted(2, { deletedBy: 'service-account-user-service-erp' })]
let sent: { call: string; body: unknown }[] = []
const answers = (more: Answers = {}): Answers => {
  const told =
    (method: string, result: unknown = undefined) =>
    (url: URL, body: unknown) => {
      sent.push({ call: `${method} ${url.pathname.replace(mappings, '')}`, body })
      return result
    }
  return {
    [`GET ${mappings}/devices/trash`]: (url) => {
      const text = url.searchParams.get('search') ?? ''
      const found = both.filter(({ label }) => label.includes(text))
      return { ...toDataPage(found, found.length, { page: 0, pageSize: 100 }), timestamp: now }
    },
    [`POST ${mappings}/devices/device-1/restore`]: told('POST', {
      value: deleted(1, { deleted: false }),
    }),
    [`DELETE ${mappings}/devices/trash/device-1`]: told('DELETE'),
    [`POST ${mappings}/devices/bulk`]: told('POST', { id: '1', total: 2 }),
    [`GET ${mappings}/jobs`]: () => ({ data: [] }),
    ...more,
  }
}
beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  sent = []
  await desktop()
  answer(answers())
})
const open = (path = '/devices/trash') => openPortal(path, { sections: [section] })
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const dialog = () => page.getByRole('dialog')
const nameField = () => dialog().getByRole('textbox', { name: 'Name' })

test('a device comes back under its name, or under another one', async () => {
  await open()
  await row('Oven 1').getByRole('button', { name: 'Restore' }).click()
  await expect.element(nameField()).toHaveValue('Oven 1')
  await nameField().fill(' ')
  await dialog().getByRole('button', { name: 'Restore' }).click()
  expect(sent).toEqual([])
  await nameField().fill(' Oven 1b ')
  await dialog().getByRole('button', { name: 'Restore' }).click()
  await expect.element(page.getByText('Oven 1b was restored.')).toBeVisible()
  expect(sent).toEqual([{ call: 'POST /devices/device-1/restore', body: { label: 'Oven 1b' } }])
})

test('a name that is taken meanwhile is said at its field [V-03 in part]', async () => {
  answer(
    answers({
      [`POST ${mappings}/devices/device-1/restore`]: () =>
        refusedWith(409, 'mappings.label_taken', { field: 'label' }),
    }),
  )
  await open()
  await row('Oven 1').getByRole('button', { name: 'Restore' }).click()
  await dialog().getByRole('button', { name: 'Restore' }).click()
  await expect.element(page.getByText(/This name is already taken/)).toBeVisible()
  expect(dialog().getByRole('alert').elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('a device is deleted for good only after its name was typed', async () => {
  await open()
  await row('Oven 1').getByRole('button', { name: 'Delete permanently' }).click()
  const verb = dialog().getByRole('button', { name: 'Delete permanently' })
  await expect.element(verb).toBeDisabled()
  await dialog().getByRole('textbox').fill('Oven 1')
  await verb.click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(sent.map(({ call }) => call)).toEqual(['DELETE /devices/trash/device-1'])
})

test('several devices come back as long work, and are no longer ticked', async () => {
  await open()
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await page.getByRole('button', { name: 'Restore 2 devices' }).click()
  await expect
    .element(page.getByRole('button', { name: 'Restore 2 devices' }))
    .not.toBeInTheDocument()
  expect(sent).toEqual([
    {
      call: 'POST /devices/bulk',
      body: {
        action: { kind: 'restore' },
        selection: { ids: ['device-1', 'device-2'] },
        label: 'Restore 2 devices',
      },
    },
  ])
})

test('long work that does not begin is told, and the devices stay ticked', async () => {
  answer(
    answers({
      [`POST ${mappings}/devices/bulk`]: () =>
        refusedWith(403, 'auth.missing_permission', { permission: 'devices:delete' }),
    }),
  )
  await open()
  await page.getByRole('checkbox', { name: 'Select row' }).first().click()
  await page.getByRole('button', { name: 'Restore 1 device' }).click()
  await expect
    .element(page.getByText(/You do not have this permission: devices:delete/))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Restore 1 device' })).toBeEnabled()
})

test('a service account that deleted a device is named as one', async () => {
  await open()
  await expect.element(row('Oven 2')).toMatchTextContent(/erp/)
  await expect.element(row('Oven 2')).not.toMatchTextContent(/service-account-user/)
})

test('a search that finds nothing, and an empty trash, say so with a way back', async () => {
  await open('/devices/trash?q=press')
  await expect.element(page.getByRole('link', { name: /devices/i }).last()).toBeVisible()
  const empty = { ...toDataPage([], 0, { page: 0, pageSize: 100 }), timestamp: now }
  answer(answers({ [`GET ${mappings}/devices/trash`]: () => empty }))
  await page.getByRole('searchbox').fill('')
  await expect.element(page.getByText('The trash is empty')).toBeVisible()
})

test('on a phone deleted devices are cards with their two actions', async () => {
  await phone()
  await open()
  const card = page.getByRole('listitem').filter({ hasText: 'Oven 1' })
  await expect.element(card.getByRole('button', { name: 'Delete permanently' })).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
