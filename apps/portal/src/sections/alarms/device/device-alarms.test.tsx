import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { testDevice } from '../../../device-testing.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../../page-testing.tsx'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { api } from '../../../parts/api/api.ts'
import { queries } from '../../../parts/api/queries.ts'
import { section as deviceMapSection } from '../../device-map/section.ts'
import { section as devicesSection } from '../../devices/section.ts'
import { type TestAlarm, testAlarm, testChange, testId, testPage } from '../alarm-testing.ts'
import { section } from '../section.ts'

const sections = [section, devicesSection, deviceMapSection]
const id = testId('oven')
const counted = (counts: Record<number, number>) => ({
  alarms: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((n) => [`n_active_${n}`, counts[n] ?? 0])),
  alarms_max_severity: Math.max(...Object.keys(counts).map(Number)),
})
let stored: TestAlarm[]
let asked: { kind?: string | undefined; deviceId?: string | undefined }[]
let acted: string[]
const device = () =>
  testDevice(id, 'Oven line 1', {
    connected: true,
    attributes: { hall: 'B', ...counted({ 6: 1, 3: 2 }) },
    position: { lat: 46.95, lon: 7.44 },
  })

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  asked = []
  acted = []
  stored = [
    testAlarm('gas', { severity: 6, longreach: { texts: { en: 'Gas at the burner' } } }),
    testAlarm('hot', { severity: 3 }),
    testAlarm('door', {
      severity: 3,
      status: 'NOT_ACTIVE',
      longreach: { texts: { en: 'Door was open' } },
    }),
  ]
  answer({})
  answer(api.mappings.device, () => ({ value: device() }))
  answer(api.mappings.devices, () => ({
    data: [device(), testDevice(testId('press'), 'Press 7', { attributes: counted({ 0: 0 }) })],
    timestamp: Date.now(),
    number: 0,
    totalElements: 2,
    totalPages: 1,
    last: true,
  }))
  answer(api.platform.series, () => [])
  answer(alarmsApi.listAlarms, ({ body }) => {
    asked.push(body)
    if (body.kind === 'history' && body.deviceId !== undefined) {
      return testPage([...stored, testAlarm('over', { longreach: { texts: { en: 'Was cold' } } })])
    }
    return testPage(stored.filter(({ ack }) => ack === 'REQUIRED'))
  })
  answer(alarmsApi.alarmDetail, ({ params }) => ({
    alarm: stored.find((one) => one.id === params.id)!,
    history: [testChange(1, 'raised', Date.now() - 1e6)],
    assigneeIsGone: false,
  }))
  answer(alarmsApi.acknowledge, ({ body }) => {
    const ids = body.ids ?? [body.id ?? '']
    acted.push(...ids)
    stored = stored.map((one) =>
      ids.includes(one.id) ? { ...one, ack: 'NOT_REQUIRED', action: 'ACK' } : one,
    )
    return { done: ids, skipped: [] }
  })
})

const tab = `/devices/${id}?tab=alarms`
const open = (path: string, more: Partial<Parameters<typeof openPortal>[1]> = {}) =>
  openPortal(path, { sections, ...more })

test('the page of a device has its open alarms to act on, its history, and its worst in the header [C-19]', async () => {
  await open(tab)
  const mark = page.getByRole('link', { name: '3 open alarms, worst: Critical' })
  await expect.element(mark).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Gas at the burner/ })).toBeVisible()
  expect(asked).toContainEqual(expect.objectContaining({ kind: 'open', deviceId: id }))
  expect(await faults()).toEqual([])
  const gas = page.getByRole('row', { name: /Gas at the burner/ })
  await gas.getByRole('button', { name: 'Acknowledge' }).click()
  await expect.poll(() => acted).toEqual([testId('gas')])
  await page.getByText('History', { exact: true }).last().click()
  await expect.element(page.getByRole('row', { name: /Was cold/ })).toBeVisible()
  await page.getByRole('row', { name: /Door was open/ }).click()
  await expect.element(page.getByRole('heading', { name: 'Door was open' })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('the list of devices and the panel say how many alarms are open, and which is the worst', async () => {
  await open('/devices')
  await expect.element(page.getByRole('columnheader', { name: 'Alarms' })).toBeVisible()
  const row = page.getByRole('row', { name: /Oven line 1/ })
  await expect
    .element(row.getByRole('link', { name: '3 open alarms, worst: Critical' }))
    .toBeVisible()
  const other = page.getByRole('row', { name: /Press 7/ })
  expect(other.getByRole('link', { name: /open alarm/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('who sees some alarms of a device alone has their number in the list, once asked for all rows', async () => {
  const plain = (key: string, label: string) => testDevice(testId(key), label)
  answer(api.mappings.devices, () => ({
    data: [plain('oven', 'Oven line 1'), plain('press', 'Press 7'), plain('saw', 'Saw 2')],
    timestamp: Date.now(),
    number: 0,
    totalElements: 3,
    totalPages: 1,
    last: true,
  }))
  const counted: unknown[] = []
  answer(alarmsApi.severityCountByDevice, ({ query }) => {
    counted.push(Object.fromEntries(query))
    if (query.get('next') === null) {
      const hot = [
        { severity: 2, count: 1 },
        { severity: 5, count: 3 },
      ]
      return { data: [{ [id]: hot }], last: false, next: 'more' }
    }
    return { data: [{ [testId('saw')]: [{ severity: 1, count: 1 }] }], last: true, next: null }
  })
  await open('/devices')
  const row = (name: RegExp) => page.getByRole('row', { name })
  await expect
    .element(row(/Oven line 1/).getByRole('link', { name: /^4 open alarms, worst:/ }))
    .toBeVisible()
  await expect.element(row(/Saw 2/).getByRole('link', { name: /^1 open alarm/ })).toBeVisible()
  expect(
    row(/Press 7/)
      .getByRole('link', { name: /open alarm/ })
      .elements(),
  ).toEqual([])
  const organization = `${session().organization.resourceId}.*`
  expect(counted).toMatchObject([
    { organization, limited: 'true' },
    { organization, limited: 'true', next: 'more' },
  ])
  expect(await faults()).toEqual([])
})

test('who may not see alarms has no column of them in the list of devices', async () => {
  answer(api.mappings.devices, () => ({
    data: [testDevice(id, 'Oven line 1', { attributes: { hall: 'B' } })],
    timestamp: Date.now(),
    number: 0,
    totalElements: 1,
    totalPages: 1,
    last: true,
  }))
  const permissions = new Set(['portal:access', 'devices:read'] as const)
  await open('/devices', { who: session({ permissions }) })
  await expect.element(page.getByRole('row', { name: /Oven line 1/ })).toBeVisible()
  await expect.element(page.getByRole('columnheader', { name: 'Status' })).toBeVisible()
  expect(page.getByRole('columnheader', { name: 'Alarms' }).elements()).toEqual([])
  expect(page.getByRole('img', { name: /open alarm/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('who may not see alarms has no tab, and the attributes are not shown as texts', async () => {
  const permissions = new Set(['portal:access', 'devices:read'] as const)
  await open(tab, { who: session({ permissions }) })
  await expect.element(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
  expect(page.getByRole('tab', { name: 'Alarms' }).elements()).toEqual([])
  await expect.element(page.getByText('hall', { exact: true })).toBeVisible()
  expect(page.getByText('alarms_max_severity').elements()).toEqual([])
})

test('the tab works in German, in the dark and on a phone, and says when nothing is open', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open(tab, { language: 'de' })
  await expect.element(page.getByRole('row', { name: /Gas at the burner/ })).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  stored = []
  queries.clear()
  await open(tab, { language: 'de' })
  await expect.element(page.getByText('Keine offenen Alarme an diesem Gerät')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('the rules that judge the device are listed, with late values that were not judged', async () => {
  const ruleId = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10'
  let question: URLSearchParams | undefined
  answer(alarmsApi.rules, ({ query }) => {
    question = query
    return {
      data: [
        {
          id: ruleId,
          orgResourceId: 'nordwerk.italy',
          version: 1,
          below: false,
          rule: { name: 'Too hot', enabled: true, levels: [{ severity: 5 }] },
          createdAt: 0,
          updatedAt: 0,
          updatedBy: 'iva',
          modelOrganization: 'nordwerk',
          may: [],
          open: 0,
        },
      ],
      totalElements: 1,
      last: true,
    }
  })
  answer(alarmsApi.overrides, () => ({ data: [] }))
  const late = { from: Date.UTC(2026, 0, 5, 12), to: Date.UTC(2026, 0, 6, 12), at: 0 }
  answer(api.platform.unjudgedValues, () => ({
    data: [{ deviceId: id, deviceLabel: 'Oven line 1', ruleId, reason: 'age' as const, ...late }],
  }))
  await open(`${tab}&part=rules`)
  await expect.element(page.getByRole('link', { name: 'Too hot' })).toBeVisible()
  await expect
    .element(page.getByText(/^Late values from .*Jan 5, 2026.* more than seven days late\.$/))
    .toBeVisible()
  expect(question?.get('judges')).toBe(id)
  expect(question?.get('organization')).toBe('nordwerk.*')
  expect(page.getByRole('button', { name: /^Change: Too hot/ }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})
