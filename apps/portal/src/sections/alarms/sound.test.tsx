import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { queries } from '../../parts/api/queries.ts'
import { answer, desktop, openPortal } from '../../page-testing.tsx'
import { type TestAlarm, testAlarm, testPage } from './alarm-testing.ts'
import { section } from './section.ts'

let stored: TestAlarm[]

/** Answers the list as the server does: those of which it heard after a time, where that is asked. */
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  stored = Array.from({ length: 300 }, (_, at) => testAlarm(`old${at}`))
  answer({})
  answer(alarmsApi.shelves, () => ({ data: [], totalElements: 0, last: true }))
  answer(alarmsApi.listAlarms, ({ body }) => {
    const [, after] = /heardAt > (\d+)/.exec(body.data ?? '') ?? []
    const found = stored.filter(
      ({ ack, longreach }) =>
        (body.data === undefined || ack === 'REQUIRED') &&
        (after === undefined || longreach.heardAt > Number(after)),
    )
    return { ...testPage(found), data: found.slice(0, body.pageSize) }
  })
})

const come = async (name: string, severity: number, count: number) => {
  const heardAt = Date.now()
  const more = { severity, longreach: { heardAt, since: heardAt } }
  stored = [...stored, ...Array.from({ length: count }, (_, at) => testAlarm(`${name}${at}`, more))]
  await queries.invalidateQueries()
}

test('of any place in the list, new alarms sound once a flood, and again when they are worse [R-22 in part]', async () => {
  const tones = vi.spyOn(AudioContext.prototype, 'createOscillator')
  await openPortal('/alarms', { sections: [section] })
  await page.getByRole('button', { name: 'Sound for new alarms: off' }).click()
  await page.getByRole('switch', { name: /Play a sound/ }).click()
  await page.getByRole('checkbox', { name: 'Medium' }).click()
  await expect.element(page.getByText(/300 open alarms/).first()).toBeVisible()
  await queries.invalidateQueries()
  expect(tones).not.toHaveBeenCalled()
  // Behind 300 that are worse.
  await come('medium', 3, 12)
  await expect.poll(() => tones.mock.calls.length).toBe(2)
  await come('more', 3, 5)
  await come('low', 1, 5)
  await come('critical', 6, 1)
  await expect.poll(() => tones.mock.calls.length).toBe(2 + 5)
})
