import { toDataPage } from '@longreach/kit/contract'
import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { api } from '../../parts/api/api.ts'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import type { Pulse } from '../../parts/notifications/pulse-calls.ts'
import { section as alarms } from '../alarms/section.ts'
import { section } from './section.ts'

const minute = 60_000
/** A beat that began some time ago and passed a station some ms later. */
const passed = (agoMs: number, ms: number) => {
  const t = Date.now() - agoMs
  return { t, at: t + ms }
}
const watcher = (more: Partial<NonNullable<Pulse['watcher']>> = {}) => ({
  method: 'GET' as const,
  host: 'hc-ping.example',
  updatedAt: Date.now(),
  updatedBy: 'erika',
  answer: '200 OK',
  calledAt: Date.now(),
  ok: true,
  ...more,
})
type More = Partial<Pulse> & { values?: number }

/** The pulse as it beats: 23 s old, or with other stations. */
function show({ values = 23_000, ...more }: More = {}) {
  const stations = {
    alarm: passed(23_000, 90),
    isAlarmKnown: true,
    message: passed(23_000, 1_230),
    watcher: passed(23_000, 1_410),
  }
  const t = Date.now() - 23_000
  const pulse = { now: Date.now(), state: 'works' as const, t, stations, watcher: watcher() }
  answer(notificationsApi.pulse, () => ({ ...pulse, ...more }))
  answer(api.platform.pulseValue, () => ({ value: passed(values, 12), rule: passed(values, 13) }))
}

let sent: { call: string; body: unknown }[]
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  answer({})
  answer(notificationsApi.notifications, () => toDataPage([], 0, { page: 0, pageSize: 500 }))
  show()
})
const open = (
  path = '/admin/notifications',
  who = session(),
  language: 'en' | 'de' | 'fr' = 'en',
) => openPortal(path, { sections: [section, alarms], who, language })
const card = () => page.getByRole('region', { name: 'Pulse' })
const stations = () =>
  card()
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent)

test('the pulse says how old it is and when each station was passed [R-21 in part]', async () => {
  await open()
  await expect.element(card()).toMatchTextContent(/Pulse.*2\ds ago.*alarms are delivered/)
  await expect
    .poll(stations)
    .toEqual([
      'Valueafter 0.01 s',
      'Ruleafter 0.01 s',
      'Alarmafter 0.09 s',
      'Messageafter 1.23 s',
      'Watcherafter 1.41 s',
    ])
  expect(await faults()).toEqual([])
})

test('where it stands still, the first old station is named with what to do; the others wait', async () => {
  const old = passed(12 * minute, 90)
  show({
    state: 'still',
    t: old.t,
    stations: { alarm: old, isAlarmKnown: true, message: old, watcher: old },
  })
  await open()
  await expect.element(card()).toMatchTextContent(/Rules find alarms, but these are not written/)
  const states = () =>
    card()
      .getByRole('listitem')
      .elements()
      .map((one) => one.getAttribute('data-state'))
  expect(states()).toEqual(['works', 'works', 'still', 'waits', 'waits'])
  expect(await faults()).toEqual([])
})

test('a service that does not answer is said to be unknown, and a new pulse is no fault', async () => {
  answer(api.platform.pulseValue, () => refusedWith(503, 'platform.timeout'))
  show({
    state: 'new',
    t: null,
    watcher: null,
    stations: { alarm: null, isAlarmKnown: false, message: null, watcher: null },
  })
  answer(api.platform.pulseValue, () => refusedWith(503, 'platform.timeout'))
  await open()
  await expect.element(card()).toMatchTextContent(/Starting.*first value is on its way/)
  await expect
    .poll(stations, { timeout: 30_000 })
    .toEqual(['ValueNo answer', 'RuleNo answer', 'AlarmNo answer', 'MessageNothing yet'])
})

test('a watcher is set, tested and removed', async () => {
  show({ watcher: null })
  answer(notificationsApi.setPulseWatcher, ({ body }) => {
    sent.push({ call: 'set', body })
    show()
    return watcher({ calledAt: null, ok: null, answer: '' })
  })
  answer(notificationsApi.testPulseWatcher, () => ({ ok: false, answer: '404 gone', ms: 3 }))
  answer(notificationsApi.deletePulseWatcher, () => {
    sent.push({ call: 'delete', body: undefined })
    return undefined
  })
  await open()
  await page.getByRole('button', { name: 'Set watcher' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://hc-ping.example/secret')
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => sent)
    .toEqual([{ call: 'set', body: { url: 'https://hc-ping.example/secret', method: 'GET' } }])
  await page.getByRole('button', { name: 'Watcher', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/keep the address at hc-ping.example/)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect.element(dialog).toMatchTextContent(/did not take the call: 404 gone/)
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => sent.at(-1)?.call).toBe('delete')
})

test('who may only read sees the watcher and why it may not be tested', async () => {
  const permissions = new Set([
    'portal:access',
    'organizations:read',
    'organizations:update',
    'notifications:read',
  ] as const)
  await open('/admin/notifications', session({ permissions }))
  await page.getByRole('button', { name: 'Watcher', exact: true }).click()
  const button = page.getByRole('button', { name: 'Test', exact: true })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(button)).toMatch(/need permission to change notifications/)
})

test('alarm pages say so while the pulse stands still, and nothing while it goes on', async () => {
  await open('/alarms/shelved')
  await expect.element(page.getByRole('link', { name: /Shelved/ })).toBeVisible()
  await expect.element(page.getByText('Alarms may be missing or late')).not.toBeInTheDocument()
  queries.clear()
  show({ state: 'still', t: Date.now() - 12 * minute, stations: null, watcher: null })
  await open('/alarms/shelved')
  await expect.element(page.getByText('Alarms may be missing or late')).toBeVisible()
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Alarms may be' }))
    .toMatchTextContent(/tell an administrator. Last passed 12m ago/)
  expect(await faults()).toEqual([])
})

test.each(['de', 'fr'] as const)('on a phone, in the dark and in %s it fits', async (language) => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  const old = passed(12 * minute, 90)
  show({
    values: 12 * minute,
    state: 'still',
    t: old.t,
    stations: { alarm: old, isAlarmKnown: true, message: old, watcher: old },
  })
  await open('/admin/notifications', session(), language)
  await expect.element(page.getByRole('listitem').nth(4)).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
  await open('/alarms/shelved', session(), language)
  await expect.element(page.getByRole('status').first()).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
