import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import type { Shelf } from '../../parts/alarms/shelf-calls.ts'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { testAlarm, testId, testPage } from './alarm-testing.ts'
import { section } from './section.ts'

const hour = 3_600_000
const shelfOf = (at: number, more: Partial<Shelf> = {}): Shelf => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  orgResourceId: 'nordwerk',
  below: false,
  target: { type: 'device', id: testId('oven'), label: 'Oven 7', deviceId: testId('oven') },
  reason: 'maintenance',
  note: 'New door seals',
  until: Date.now() + 3.5 * hour,
  endOnReturn: false,
  by: 'erika',
  createdAt: Date.now() - hour,
  mine: true,
  fromAbove: false,
  mayChange: true,
  mayLift: true,
  held: 2,
  ...more,
})
const above = shelfOf(2, {
  target: { type: 'organization', id: 'nordwerk', label: 'nordwerk', deviceId: null },
  until: Date.now() + 50 * hour,
  by: 'tom',
  note: '',
  fromAbove: true,
  mine: false,
  mayChange: false,
})
const some = [
  shelfOf(1),
  above,
  shelfOf(3, {
    target: { type: 'alarm', id: 'x', label: 'Press 7: Gas at the burner', deviceId: null },
    reason: 'sensor',
    until: Date.now() + 0.2 * hour,
    endOnReturn: true,
    note: '',
    held: 1,
  }),
]
let shelves: readonly Shelf[]
let sent: { call: string; body: unknown }[]

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  shelves = some
  answer({})
  answer(alarmsApi.listAlarms, () => testPage([testAlarm('gas'), testAlarm('hot')]))
  answer(alarmsApi.shelves, ({ query }) => ({
    data: shelves.slice(0, Number(query.get('pageSize') ?? 50)),
    totalElements: shelves.length,
    last: true,
  }))
  answer(alarmsApi.changeShelf, ({ body }) => {
    sent.push({ call: 'change', body })
    return shelfOf(1)
  })
  answer(alarmsApi.liftShelf, () => {
    sent.push({ call: 'lift', body: undefined })
    return undefined
  })
  answer(alarmsApi.shelveAlarms, ({ body }) => {
    sent.push({ call: 'shelveAlarms', body })
    return { done: body.ids, skipped: [] }
  })
})

const open = (path: string, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const button = (name: string | RegExp) => page.getByRole('button', { name })

test('what is shelved is listed with who, why and the time that remains, and lifted [R-22 in part]', async () => {
  await open('/alarms/shelved')
  const row = page.getByRole('row', { name: /Oven 7/ })
  await expect
    .poll(() => row.element().textContent)
    .toContain('Planned maintenance · New door seals')
  await expect.poll(() => row.element().textContent).toMatch(/3 h (29|30) min/)
  await expect
    .poll(() => page.getByRole('row', { name: /nordwerk/ }).element().textContent)
    .toContain('from above')
  await expect.element(page.getByRole('link', { name: /Shelved\s*3/ })).toBeVisible()
  expect(await faults()).toEqual([])
  await row.click()
  await expect.element(button('Change end')).toBeVisible()
  await button('Lift').click()
  await expect.element(page.getByText(/Its 2 open alarms return to the list/)).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click()
  await expect.poll(() => sent).toEqual([{ call: 'lift', body: undefined }])
})

test('the end of a shelf is changed, and one from above can only be lifted [R-22 in part]', async () => {
  await open(`/alarms/shelved?shelf=${shelfOf(1).id}`)
  await button('Change end').click()
  await page.getByRole('radio', { name: '24 h' }).click()
  expect(await faults()).toEqual([])
  const before = Date.now()
  await page.getByRole('dialog').getByRole('button', { name: 'Change end' }).click()
  await expect.poll(() => sent.length).toBe(1)
  const { until } = { until: 0, ...(sent[0]?.body as { until?: number } | undefined) }
  expect(until).toBeGreaterThanOrEqual(before + 24 * hour)
  await open(`/alarms/shelved?shelf=${above.id}`)
  await expect.element(button('Lift')).toBeVisible()
  expect(button('Change end').elements()).toEqual([])
})

test('ticked alarms are shelved with a reason and an end, by keyboard [R-22 in part]', async () => {
  await open('/alarms')
  await page
    .getByRole('checkbox', { name: /Select/ })
    .first()
    .click()
  await button('Shelve').click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  expect(await faults()).toEqual([])
  await dialog.getByRole('radio', { name: '15 min' }).click()
  await userEvent.keyboard('{ArrowRight}')
  await dialog.getByRole('checkbox', { name: /End early on return/ }).click()
  await dialog.getByRole('textbox', { name: /Note/ }).fill('Seals')
  const before = Date.now()
  await dialog.getByRole('button', { name: 'Shelve' }).click()
  await expect.poll(() => sent.length).toBe(1)
  const body = sent[0]?.body as { until: number; ids: string[] }
  expect(body).toMatchObject({ reason: 'maintenance', note: 'Seals', endOnReturn: true })
  expect(body.ids).toHaveLength(2)
  expect(body.until - before).toBeGreaterThanOrEqual(0.5 * hour)
  expect(body.until - before).toBeLessThan(0.75 * hour)
})

test('over 8 hours are offered to people who may change alarms', async () => {
  const who = session({
    permissions: new Set(['portal:access', 'devices:read', 'alarms:read', 'alarms:ack'] as const),
  })
  await open('/alarms', { who })
  await page
    .getByRole('checkbox', { name: /Select/ })
    .first()
    .click()
  await button('Shelve').click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('radio', { name: '24 h' })).toBeDisabled()
  await expect.element(dialog.getByRole('radio', { name: '8 h' })).toBeEnabled()
})

test('the page of shelves stands on a phone, in the dark, and empty', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  await open('/alarms/shelved')
  await expect.element(page.getByText('Oven 7')).toBeVisible()
  expect(fitsWindow()).toBe(true)
  expect(await faults()).toEqual([])
  shelves = []
  queries.clear()
  await open('/alarms/shelved', { language: 'de' })
  await expect.element(page.getByText('Nichts ist zurückgestellt')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('10,000 shelves are drawn and scrolled', async () => {
  shelves = Array.from({ length: 10_000 }, (_, at) => shelfOf(at + 10))
  await open('/alarms/shelved')
  await expect.element(page.getByText('10,000 entries')).toBeVisible()
})

test('a device group, a class or an organization is shelved from the page of shelves [R-22 in part]', async () => {
  answer(api.core.securityPolicies, () => ({
    content: [{ id: 7, name: 'Ovens of line 1', type: 'STANDARD' as const }],
    totalElements: 1,
    totalPages: 1,
    numberOfElements: 1,
    number: 0,
    size: 100,
    first: true,
    last: true,
    empty: false,
    page: 0,
    pageSize: 100,
  }))
  answer(alarmsApi.rules, () => ({ data: [], totalElements: 0, last: true }))
  answer(alarmsApi.createShelf, ({ body }) => {
    sent.push({ call: 'create', body })
    return shelfOf(9)
  })
  await open('/alarms/shelved')
  const dialog = page.getByRole('dialog')
  const shelve = () => dialog.getByRole('button', { name: 'Shelve', exact: true }).click()
  await button('Shelve…').click()
  await shelve()
  await expect.element(dialog.getByText('Required.')).toBeVisible()
  expect(await faults()).toEqual([])
  await dialog.getByRole('combobox', { name: 'Device group' }).click()
  await page.getByRole('option', { name: 'Ovens of line 1' }).click()
  await dialog.getByRole('radio', { name: '24 h' }).click()
  await shelve()
  await expect
    .poll(() => sent.at(-1)?.body)
    .toMatchObject({ target: { type: 'group', id: '7' }, reason: 'maintenance' })
  await button('Shelve…').click()
  await dialog.getByText('Class', { exact: true }).first().click()
  await dialog.getByRole('combobox', { name: 'Class' }).fill(' Process ')
  await shelve()
  await expect
    .poll(() => sent.at(-1)?.body)
    .toMatchObject({ target: { type: 'class', id: 'Process' } })
  await button('Shelve…').click()
  await dialog.getByText('Organization', { exact: true }).first().click()
  await dialog.getByRole('combobox', { name: 'Organization' }).click()
  await page.getByRole('option').first().click()
  expect(await faults()).toEqual([])
  await shelve()
  await expect.poll(() => sent.at(-1)?.body).toMatchObject({ target: { type: 'organization' } })
  const few = new Set(['portal:access', 'devices:read', 'alarms:read', 'alarms:ack'] as const)
  await phone()
  await open('/alarms/shelved', { who: session({ permissions: few }) })
  await button('Shelve…').click()
  await dialog.getByText('Organization', { exact: true }).first().click()
  await expect.element(dialog.getByRole('combobox', { name: 'Organization' })).toBeDisabled()
  await expect.element(dialog.getByText(/needs the permission to change alarms/)).toBeVisible()
  expect(fitsWindow()).toBe(true)
  expect(await faults()).toEqual([])
})
