import type { platformContract } from '@longreach/platform/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import type { Reply } from '../../page-answers.ts'
import { section as storageSection } from './section.ts'

type Endpoints = (typeof platformContract)['endpoints']

const gib = 1024 ** 3
const day = 86_400_000
const amounts = (bytes: number, values: number) => ({
  bytes,
  values,
  bytesPerDay: bytes / 50,
  valuesPerDay: values / 50,
  oldest: Date.UTC(2026, 0, 1) - 50 * day,
  newest: Date.now() - 60_000,
})
const used = {
  at: Date.UTC(2026, 0, 1),
  total: amounts(20 * gib, 12_000_000_000),
  organizations: [{ organization: 'nordwerk', ...amounts(20 * gib, 12_000_000_000) }],
  devices: [
    {
      deviceId: 'aaaaaaaaaaaaaaaaaaaaaa',
      label: 'Press 4',
      organization: 'nordwerk',
      deleted: false,
      ...amounts(3 * gib, 2_000_000_000),
    },
  ],
  others: { devices: 2, values: 77, bytes: 10 },
}
const rule = (more: Partial<Reply<Endpoints['saveRetention']>>) => ({
  id: '4b4d1d2a-0000-4000-8000-000000000001',
  organization: 'nordwerk',
  model: '',
  path: '',
  keepDays: 400,
  inherited: false,
  changedAt: Date.now(),
  changedBy: 'erika',
  ...more,
})
const sections = [storageSection]

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  answer({})
})
afterEach(() => localStorage.clear())

test('what values take is shown by device and path, with the day of the next size [C-20]', async () => {
  answer(api.platform.storage, () => used)
  answer(api.platform.retention, () => ({ rules: [], lastRun: null }))
  answer(api.platform.deviceStorage, () => [
    { modelPath: 'Press:1/force', ...amounts(gib, 5_000), keepDays: 90 },
  ])
  await openPortal('/storage', { sections })
  await expect.element(page.getByText('20.0 GiB', { exact: true })).toBeVisible()
  await expect.element(page.getByText('At this rate: 40.0 GiB on February 20, 2026.')).toBeVisible()
  await expect.element(page.getByText('2 more devices with 77 values')).toBeVisible()
  const name = page.getByRole('link', { name: 'Press 4' })
  await expect.element(name).toHaveAttribute('href', '/devices/aaaaaaaaaaaaaaaaaaaaaa')
  await page.getByRole('row', { name: /Press 4/ }).click()
  await expect.element(page.getByText('Press:1/force')).toBeVisible()
  await expect.element(page.getByText('90 days')).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})

test('before seven days are stored nothing is foretold', async () => {
  const total = { ...used.total, oldest: used.at - 6 * day }
  answer(api.platform.storage, () => ({ ...used, total }))
  answer(api.platform.retention, () => ({ rules: [], lastRun: null }))
  await openPortal('/storage', { sections })
  await expect.element(page.getByText(/after seven days/)).toBeVisible()
  await expect.element(page.getByText(/At this rate/)).not.toBeInTheDocument()
})

test('a rule is saved after its consequences are counted; a refusal stands at its field [C-20]', async () => {
  let sent: unknown
  const asked: unknown[] = []
  answer(api.platform.storage, () => used)
  const inherited = { inherited: true, organization: 'works' }
  answer(api.platform.retention, () => ({
    rules: [rule({ ...inherited, id: '4b4d1d2a-0000-4000-8000-000000000002' })],
    lastRun: Date.now(),
  }))
  answer(api.platform.previewRetention, ({ body }) => {
    asked.push(body)
    return { devices: 3, paths: 7, values: 1234, bytes: 5 * gib }
  })
  answer(api.platform.saveRetention, ({ body }) => {
    sent = body
    return rule({ model: 'Press', keepDays: 30 })
  })
  await openPortal('/storage?view=retention', { sections })
  await expect.element(page.getByText('works, inherited')).toBeVisible()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByText('A model', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Model' }).fill('Press')
  await page.getByRole('textbox', { name: 'Keep for (days)' }).fill('30')
  await expect
    .poll(() => document.body.innerText.includes('1,234 values of 7 paths on 3'))
    .toBe(true)
  await expect.poll(() => asked.at(-1)).toEqual({ model: 'Press', path: '', keepDays: 30 })
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent).toEqual({ model: 'Press', path: '', keepDays: 30 })
})

test('without the right to change the organization rules are read only', async () => {
  answer(api.platform.storage, () => used)
  answer(api.platform.retention, () => ({ rules: [rule({ model: 'Press' })], lastRun: null }))
  const who = session({ permissions: new Set(['portal:access', 'organizations:read'] as const) })
  await openPortal('/storage?view=retention', { sections, who })
  await expect.poll(() => document.body.innerText.includes('Model Press')).toBe(true)
  for (const name of ['New rule', 'Change', 'Remove'])
    await expect
      .element(page.getByRole('button', { name, exact: true }))
      .toHaveAttribute('aria-disabled', 'true')
})

test('closed alarms are kept for the days of the organization, which are changed here [R-22 in part]', async () => {
  const sent: unknown[] = []
  const settings = {
    keepDays: null,
    noteClasses: null,
    effective: { keepDays: 1_095, keepDaysFrom: null, noteClasses: [], noteClassesFrom: null },
    changedAt: null,
    changedBy: null,
  }
  answer(api.platform.retention, () => ({ rules: [], lastRun: null }))
  answer(alarmsApi.alarmSettings, () => settings)
  answer(alarmsApi.saveAlarmSettings, ({ body }) => {
    sent.push(body)
    return settings
  })
  await openPortal('/storage?view=retention', { sections })
  await expect.element(page.getByText(/Closed alarms are kept for 1,095 days/)).toBeVisible()
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog')
  const days = dialog.getByRole('textbox', { name: /Keep closed alarms/ })
  await days.fill('29')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByText(/A whole number from 30/)).toBeVisible()
  await days.fill('400')
  await dialog.getByRole('textbox', { name: /Classes/ }).fill('Safety\n\n Gas ')
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => sent).toEqual([{ keepDays: 400, noteClasses: ['Safety', 'Gas'] }])
})
