import { Rule } from '@longreach/rules/rule'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api } from '../../../parts/api/api.ts'
import { queries } from '../../../parts/api/queries.ts'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { answer, desktop, faults, openPortal, phone } from '../../../page-testing.tsx'
import { testId } from '../alarm-testing.ts'
import { section } from '../section.ts'

const hour = 3_600_000
const from = Date.parse('2026-11-01T00:00:00Z')
const to = Date.parse('2026-12-01T00:00:00Z')
const ruleId = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10'
let asked: URLSearchParams[] = []
let tried: unknown[] = []

const figures = (more: object = {}) => ({
  hours: 600,
  alarms: 5_400,
  perHour: 9,
  floodShare: 0.004,
  mostInTenMinutes: 34,
  bySeverity: [0, 4_100, 0, 900, 0, 300, 100],
  acknowledged: 5_000,
  acknowledgeMedianS: 95,
  acknowledge95S: 1_400,
  ...more,
})

const report = (more: object = {}) => ({
  from,
  to,
  whole: figures(),
  shifts: [
    { begins: '06:00', ends: '14:00', ...figures({ alarms: 900, perHour: 4.5 }) },
    { begins: '14:00', ends: '22:00', ...figures({ alarms: 1_800, perHour: 9 }) },
    { begins: '22:00', ends: '06:00', ...figures({ alarms: 2_700, perHour: 13.5 }) },
  ],
  course: Array.from({ length: 75 }, (_, n) => ({
    from: from + n * 8 * hour,
    to: from + (n + 1) * 8 * hour,
    alarms: 30 + ((n * 37) % 90),
    mostInTenMinutes: 9,
  })),
  sources: 64,
  chattering: 2,
  worstShare: 0.41,
  worst: [
    {
      deviceId: testId('oven'),
      device: 'Oven line 1',
      name: 'Zone too hot',
      ruleId,
      count: 1_200,
      chattered: 30,
    },
  ],
  rules: [
    {
      ruleId,
      name: 'Zone too hot',
      count: 1_800,
      chattered: 44,
      devices: [{ deviceId: testId('oven'), count: 1_200 }],
      lastedMedianS: 3,
      lasted80S: 8,
      beyond90: 1.2,
    },
    {
      ruleId: null,
      name: 'Door open',
      count: 300,
      chattered: 0,
      devices: [],
      lastedMedianS: null,
      lasted80S: null,
      beyond90: null,
    },
  ],
  devices: [
    { deviceId: testId('oven'), device: 'Oven line 1', count: 2_300, mostOften: 'Zone too hot' },
  ],
  standing: {
    count: 1,
    longest: [
      {
        id: testId('old'),
        deviceId: testId('pump'),
        device: 'Pump 3',
        name: 'Filter is full',
        since: from - 40 * hour,
      },
    ],
  },
  stale: { count: 0, longest: [] },
  ...more,
})

const rule = Rule.parse({
  name: 'Zone too hot',
  scope: { model: 'Oven:1' },
  kind: 'condition',
  when: { path: 'Oven:1/temp', op: '>', value: 230 },
  levels: [{ severity: 3 }],
})
const stored = {
  id: ruleId,
  orgResourceId: 'nordwerk',
  version: 3,
  below: false,
  rule,
  createdAt: from,
  updatedAt: from,
  updatedBy: 'erika',
  modelOrganization: 'nordwerk',
  may: ['update' as const, 'delete' as const],
  open: 0,
}
let shown = report()

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  asked = []
  tried = []
  shown = report()
  answer({
    'GET /svc/mappings/api/v1/models': () => ({
      data: [],
      number: 0,
      totalElements: 0,
      totalPages: 0,
      last: true,
    }),
  })
  answer(alarmsApi.report, ({ query }) => {
    asked.push(query)
    return shown
  })
  answer(alarmsApi.rule, () => stored)
  answer(alarmsApi.ruleVersions, () => ({ data: [] }))
  answer(alarmsApi.validateRule, () => ({ ok: true, issues: [] }))
  answer(api.platform.unjudgedValues, () => ({ data: [] }))
  answer(api.platform.tryRule, ({ body }) => {
    tried.push(body)
    return {
      devices: [
        {
          deviceId: testId('oven'),
          occurrences: [],
          count: 9,
          under5s: 0,
          hours: 1,
          mostInTenMinutes: 2,
          nearestMisses: [],
          missing: [],
          difference: { more: 1, fewer: 404, moved: 3 },
        },
      ],
      complete: true,
      values: 1_000,
    }
  })
})

const address = '/alarms/report?period=month&at=2026-11-14&zone=UTC'
const open = (path = address, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections: [section], ...more })
const row = (name: RegExp) => page.getByRole('row', { name })

test('each figure stands beside its target with a word for it [R-22 in part]', async () => {
  await open()
  await expect.element(row(/Alarms an hour.*9 ≤ 6 good, ≤ 12 bearable Bearable/)).toBeVisible()
  await expect.element(row(/Time in floods.*0\.4% < 1% Good/)).toBeVisible()
  await expect.element(row(/Most in ten minutes.*34 ≤ 10 Bad/)).toBeVisible()
  await expect.element(row(/ten most frequent.*41% < 5% Bad/)).toBeVisible()
  await expect.element(row(/Chattering alarms.*2 none Bad/)).toBeVisible()
  await expect.element(row(/Standing for over 24 hours.*1 < 5 Good/)).toBeVisible()
  await expect
    .element(row(/Time to acknowledge.*1 min 35 sec 95 of 100 within 23 min/))
    .toBeVisible()
  await expect.element(row(/22:00–06:00 2,700 14 Bad/)).toBeVisible()
  await expect.element(row(/Low 4,100.*76% 80% Good/)).toBeVisible()
  await expect.element(page.getByText('Filter is full')).toBeVisible()
  expect(await faults()).toEqual([])
})

test('time, shifts, zone and organizations stand in the address and are asked for', async () => {
  const router = await open()
  await expect
    .poll(() => Object.fromEntries(asked.at(-1) ?? []))
    .toMatchObject({
      from: String(from),
      to: String(to),
      shifts: '06:00,14:00,22:00',
      zone: 'UTC',
      below: 'true',
    })
  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByRole('checkbox', { name: 'Include sub-organizations' }).click()
  const shifts = page.getByRole('textbox', { name: 'Shifts begin at' })
  await shifts.fill('19 7:30')
  await page.getByRole('heading', { name: 'Shifts', exact: true }).click()
  await expect
    .poll(() => router.state.location.search)
    .toEqual({
      period: 'month',
      at: '2026-10-01',
      zone: 'UTC',
      below: 'false',
      shifts: '07:30,19:00',
    })
  await shifts.fill('noon')
  await page.getByRole('heading', { name: 'Shifts', exact: true }).click()
  await expect.element(page.getByText('Write times such as 06:00, 14:00, 22:00')).toBeVisible()
  await page.getByText('Custom').click()
  await expect.element(page.getByRole('group', { name: 'Time range' })).toBeVisible()
})

test('a bad actor is mended: tried on the past, and opened in the editor [R-22 in part]', async () => {
  const router = await open()
  await page.getByRole('button', { name: 'Try: Add dead-band: 5 (Zone too hot)' }).click()
  await expect.element(page.getByText('412 → 9 in the last 7 days')).toBeVisible()
  expect(tried).toMatchObject([
    { ruleId, devices: [testId('oven')], rule: { when: { value: 230, clear: 225 } } },
  ])
  expect(await faults()).toEqual([])
  await page
    .getByRole('link', { name: 'Open in the editor: Add delay: 10 sec (Zone too hot)' })
    .click()
  await expect.poll(() => router.state.location.pathname).toBe(`/alarms/rules/${ruleId}`)
  expect(router.state.location.search).toEqual({ delay: '10000' })
  await expect.element(page.getByRole('button', { name: 'Discard changes' })).toBeVisible()
})

test('a rule that one may not change is tried, and not opened', async () => {
  answer(alarmsApi.rule, () => ({ ...stored, may: [] }))
  await open()
  await expect.element(page.getByRole('button', { name: /Try: Add delay/ })).toBeVisible()
  expect(page.getByRole('link', { name: /Open in the editor/ }).elements()).toEqual([])
})

test('the report is printed, and saved as a file', async () => {
  const print = vi.spyOn(globalThis, 'print').mockImplementation(() => undefined)
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open()
  await page.getByRole('button', { name: 'Print' }).click()
  const root = document.documentElement
  await expect.poll(() => print.mock.calls.length).toBe(1)
  expect(root.getAttribute('data-mantine-color-scheme')).toBe('light')
  // The chart is as wide as the text on A4, 172 mm, and not as the window.
  expect(root.querySelector<HTMLElement>('.chart-plot')?.offsetWidth).toBe(650)
  globalThis.dispatchEvent(new Event('afterprint'))
  expect(root.getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(root.querySelector<HTMLElement>('.chart-plot')?.offsetWidth).toBeGreaterThan(650)
  let saved: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob
    return 'blob:report'
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await saved?.text()
  expect(text).toContain('Alarms an hour,9,')
  expect(text).toContain('Shift 06:00–14:00')
  vi.restoreAllMocks()
})

test('without alarms the page says so, and a failure is told', async () => {
  shown = report({ whole: figures({ alarms: 0 }), standing: { count: 0, longest: [] } })
  await open()
  await expect.element(page.getByText('No alarms in this time')).toBeVisible()
  answer(alarmsApi.report, () => Response.json({ code: 'internal' }, { status: 500 }))
  queries.clear()
  await open()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('on a phone, in the dark and in German it is as readable', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  await open(address, { language: 'de' })
  await expect.element(page.getByText('Erträglich').first()).toBeVisible()
  expect(fitsWindow()).toBe(true)
  expect(await faults()).toEqual([])
})
