import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal, phone } from '../../page-testing.tsx'
import { testAlarm, testChange, testId, testPage } from './alarm-testing.ts'
import { section } from './section.ts'

const minute = 60_000
const path = 'Oven:1/zones[2]/temperature'
const hot = testAlarm('hot')
const { since } = hot.longreach
let sent: { call: string; body: unknown }[]
/** Question of the history that came last. */
let question: { search?: string | undefined; from?: number | undefined; kind?: string | undefined }

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  answer({})
  answer(alarmsApi.listAlarms, ({ body }) => {
    // Those of 100 and of one are of what is followed on every page.
    if (body.pageSize !== 1 && body.pageSize !== 100) question = body
    return testPage([hot])
  })
  answer(alarmsApi.alarmDetail, () => ({
    alarm: hot,
    assigneeIsGone: false,
    history: [
      testChange(1, 'raised', since, { value: 236.4 }),
      testChange(2, 'commented', since + minute, {
        longreach: { by: 'oskar', comment: 'On my way' },
      }),
      testChange(3, 'invented', since + 2 * minute),
    ],
  }))
  answer(alarmsApi.comment, ({ body }) => {
    sent.push({ call: 'comment', body })
    return undefined
  })
  answer(alarmsApi.assign, ({ body }) => {
    sent.push({ call: 'assign', body })
    return undefined
  })
  answer(api.platform.series, () => [
    {
      modelPath: path,
      type: 'double',
      mode: 'R' as const,
      label: 'Temperature',
      unit: '°C',
      last: null,
    },
  ])
  answer(api.platform.queryTags, () => [])
})

const open = (address = `/alarms?alarm=${testId('hot')}`) =>
  openPortal(address, { sections: [section] })
const panel = () => page.getByRole('complementary', { name: /zone at 236\.4/ })

test('the panel says first what to do and how long there is, then the value and what happened [R-22 in part]', async () => {
  await open()
  await expect.element(panel().getByText(/Switch the zone to manual/)).toBeVisible()
  await expect.element(panel().getByText(/min .* left|min left/)).toBeVisible()
  await expect.element(panel().getByText(/The product burns/)).toBeVisible()
  await expect.element(panel().getByRole('slider', { name: /15 minutes before/ })).toBeVisible()
  await expect.element(panel().getByRole('link', { name: 'Zone too hot' })).toBeVisible()
  const lines = () =>
    panel()
      .getByRole('listitem')
      .elements()
      .map((line) => line.textContent)
  expect(lines()[0]).toContain('invented')
  expect(lines()[1]).toMatch(/Comment.*oskar.*On my way/)
  expect(lines()[2]).toMatch(/Raised.*236\.4/)
  expect(await faults()).toEqual([])
})

test('who looks after an alarm says so, comments, and acknowledges with a note [T-07 in part]', async () => {
  answer(alarmsApi.acknowledge, ({ body }) => {
    sent.push({ call: 'ack', body })
    return { done: [hot.id], skipped: [] }
  })
  await open()
  await panel().getByRole('button', { name: 'I take care of it' }).click()
  await panel().getByRole('textbox', { name: 'Comment' }).fill('Fan cleaned')
  await panel().getByRole('button', { name: 'Comment' }).click()
  await expect
    .poll(() => sent)
    .toEqual([
      { call: 'assign', body: { assignee: 'erika' } },
      { call: 'comment', body: { comment: 'Fan cleaned' } },
    ])
  await panel().getByRole('button', { name: 'Acknowledge' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('Comment').fill('Seen')
  await dialog.getByRole('button', { name: 'Acknowledge 1 alarm' }).click()
  await expect
    .poll(() => sent.at(-1))
    .toEqual({ call: 'ack', body: { ids: [hot.id], comment: 'Seen' } })
})

test('Escape closes the panel, and on a phone it takes the screen', async () => {
  await open()
  await expect.element(panel()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => location.search).not.toContain('alarm=')
  await phone()
  await open()
  await expect.element(panel()).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('the history has a period and a search, and is saved as CSV with ISO times [R-22 in part]', async () => {
  const files: Blob[] = []
  const { createObjectURL } = URL
  URL.createObjectURL = (file: Blob) => {
    files.push(file)
    return createObjectURL.call(URL, file)
  }
  await open('/alarms/alarms-history')
  await expect.element(page.getByRole('row', { name: /zone at 236/ })).toBeVisible()
  expect(question.kind).toBe('history')
  expect(Date.now() - (question.from ?? 0)).toBeLessThan(25 * 60 * minute)
  await page.getByRole('searchbox', { name: 'Search alarms' }).fill('zone')
  await expect.poll(() => question.search).toBe('zone')
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  await expect.poll(() => files.length).toBe(1)
  URL.createObjectURL = createObjectURL
  const text = (await files[0]?.text()) ?? ''
  const [head, line] = text.split(/\r?\n/)
  expect(head).toContain('Severity,Alarm,Device')
  expect(line).toContain('Oven line 1: zone at 236.4 °C')
  expect(line).toContain(new Date(since).toISOString())
})
