import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, faults, openPortal } from '../../page-testing.tsx'
import { type TestAlarm, testAlarm, testId, testPage } from './alarm-testing.ts'
import { section } from './section.ts'

let stored: TestAlarm[]

const burst = (device: string, count: number): TestAlarm[] =>
  Array.from({ length: count }, (_, at) =>
    testAlarm(`${device}${at}`, {
      severity: at === 3 ? 6 : 3,
      description: at === 0 ? `Fan of ${device}` : `${device} alarm ${at}`,
      deviceId: testId(device),
      deviceLabel: device,
      longreach: {
        texts: {},
        words: null,
        since: Date.now() - 6e4 + at * 1e3,
        firstOut: at === 0 ? null : `Fan of ${device}`,
      },
    }),
  )

beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  stored = [...burst('Oven', 8), ...burst('Press', 4)]
  answer({})
  answer(alarmsApi.listAlarms, () => testPage(stored))
  answer(alarmsApi.shelves, () => ({ data: [], totalElements: 0, last: true }))
})

const rows = () => page.getByRole('row').elements().length - 1

test('a flood is grouped by device with the first alarm on top, expanded, and switched off [R-22 in part]', async () => {
  await openPortal('/alarms', { sections: [section] })
  await expect.element(page.getByText(/12 alarms in 10 minutes/)).toBeVisible()
  await expect.poll(rows).toBe(2)
  await expect
    .poll(() => page.getByRole('row', { name: /Fan of Oven/ }).element().textContent)
    .toContain('first')
  expect(await faults()).toEqual([])
  await page
    .getByRole('row', { name: /Fan of Oven/ })
    .getByRole('button', { name: /and 7 more/ })
    .click()
  await expect.poll(rows).toBe(9)
  await expect
    .poll(() => page.getByRole('row', { name: /Oven alarm 3/ }).element().textContent)
    .toContain('after Fan of Oven')
  await page.getByRole('button', { name: 'Show one by one' }).click()
  await expect.poll(rows).toBe(12)
  await expect.poll(() => location.search).toContain('group=no')
})

test('the number of open alarms stands in the menu and in the title of the tab [R-22 in part]', async () => {
  await openPortal('/alarms', { sections: [section] })
  const badge = page.getByRole('img', { name: '12 open alarms not acknowledged' })
  await expect.element(badge).toHaveTextContent('12')
  await expect.element(badge).toHaveAttribute('data-worst', 'critical')
  await expect.poll(() => document.title).toBe('(12) Alarms · Longreach')
  stored = []
  await queries.invalidateQueries()
  await expect.poll(() => document.title).toBe('Alarms · Longreach')
  expect(badge.elements()).toEqual([])
})

test('the sound is off at first, and turned on with what the browser needs, by severity [R-22 in part]', async () => {
  await openPortal('/alarms', { sections: [section] })
  await page.getByRole('button', { name: 'Sound for new alarms: off' }).click()
  await expect.element(page.getByRole('switch', { name: /Play a sound/ })).not.toBeChecked()
  await page.getByRole('switch', { name: /Play a sound/ }).click()
  await page.getByRole('checkbox', { name: 'Medium' }).click()
  expect(await faults()).toEqual([])
  const kept = () => localStorage.getItem('longreach.alarm-sound.a-subject')
  await expect
    .poll(() => JSON.parse(kept() ?? '{}') as object)
    .toMatchObject({ on: true, severities: ['critical', 'high', 'medium'] })
  await page.getByRole('button', { name: 'Mute for 10 min' }).click()
  await expect.element(page.getByRole('button', { name: /Muted for 10 min/ })).toBeVisible()
})
