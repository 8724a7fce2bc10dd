import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { section } from './section.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const kept = { orgResourceId: 'nordwerk', updatedAt: Date.now(), updatedBy: 'anna' }
const dayMs = 86_400_000
const begin = Date.UTC(2026, 0, 5, 8)
const schedule = {
  ...kept,
  id: id(1),
  name: 'Weeks',
  zone: 'Europe/Berlin',
  layers: [
    {
      people: ['vera', 'oskar'],
      everyDays: 7,
      handOver: { day: 1, time: '08:00' },
      from: begin,
    },
  ],
  overrides: [],
  note: null,
  hasCalendar: false,
}
const escalation = {
  ...kept,
  id: id(2),
  name: 'Night',
  steps: [
    { afterMin: 0, to: [{ type: 'schedule' as const, id: id(1) }] },
    { afterMin: 10, to: [{ type: 'user' as const, id: 'adam' }] },
  ],
  repeat: 2,
}
let sent: { call: string; body: unknown }[]
let person: string | null
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  person = 'vera'
  answer({})
  answer(notificationsApi.channels, () => ({ data: [] }))
  answer(notificationsApi.schedules, () => ({ data: [schedule] }))
  answer(notificationsApi.escalations, () => ({ data: [escalation] }))
  answer(notificationsApi.onCallNow, () => ({
    person,
    until: begin + 7 * dayMs,
    turns: [
      { person, from: begin, to: begin + 7 * dayMs },
      { person: 'oskar', from: begin + 7 * dayMs, to: begin + 14 * dayMs },
      { person: null, from: begin + 14 * dayMs, to: begin + 16.5 * dayMs },
      { person: 'vera', from: begin + 16.5 * dayMs, to: begin + 28 * dayMs },
    ],
  }))
})
const open = (tab: string, more = '', language: 'en' | 'de' = 'en') =>
  openPortal(`/admin/notifications?tab=${tab}${more}`, {
    sections: [section],
    who: session(),
    language,
  })
const row = (name: RegExp) => page.getByRole('row', { name })
const save = () => page.getByRole('button', { name: 'Save', exact: true })

test('an escalation is shown as a sentence, changed step by step, and says which recipient is missing [R-21 in part]', async () => {
  await open('escalations')
  await expect
    .element(row(/Night/))
    .toMatchTextContent(/at once: On call: Weeks → after 10 min: adam.*repeated 2 times/)
  expect(await faults()).toEqual([])
  await row(/Night/).click()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Add step' }).click()
  answer(notificationsApi.replaceEscalation, ({ body }) => {
    sent.push({ call: 'replace', body })
    return sent.length === 1
      ? refusedWith(422, 'notifications.no_recipient', { field: 'steps.2.to.0' })
      : escalation
  })
  const last = page.getByRole('group', { name: /Step 3/ })
  await last.getByLabelText('Tell').first().fill('nobody')
  await save().click()
  await expect.element(last.getByText(/A recipient is missing/)).toBeVisible()
  expect(sent[0]?.body).toMatchObject({
    steps: [
      { afterMin: 0, to: [{ type: 'schedule', id: id(1) }] },
      { afterMin: 10, to: [{ type: 'user', id: 'adam' }] },
      { afterMin: 15, to: [{ type: 'user', id: 'nobody' }] },
    ],
  })
  await page.getByRole('button', { name: 'Remove step 3' }).click()
  await save().click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a schedule says who is on call, shows four weeks with their gaps, and is taken over in one click', async () => {
  answer(notificationsApi.addOverride, ({ body }) => {
    sent.push({ call: 'override', body })
    return schedule
  })
  await open('on-call')
  await expect.element(row(/Weeks/)).toMatchTextContent(/vera.*Europe\/Berlin/)
  await row(/Weeks/).click()
  await expect.element(page.getByText('1 gap in four weeks')).toBeVisible()
  await expect.element(page.getByTitle(/Nobody from .*9:00.* to/).first()).toBeVisible()
  await expect.poll(() => document.querySelectorAll('[data-gap]').length).toBe(3)
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Take over for 8 h' }).click()
  await expect.poll(() => sent.length).toBe(1)
  const { to } = sent[0]!.body as { to: number }
  expect(Math.abs(to - Date.now() - 8 * 3_600_000)).toBeLessThan(600_000)
  await expect.element(page.getByText(/You are on call for Weeks until/)).toBeVisible()
})

test('a gap of now is said by word and sign', async () => {
  person = null
  await open('on-call')
  await expect.element(row(/Weeks/)).toMatchTextContent(/Nobody/)
})

test('the address of the calendar is shown once, and the note is kept', async () => {
  answer(notificationsApi.makeCalendar, () => ({ url: 'https://portal.example/secret.ics' }))
  answer(notificationsApi.setNote, ({ body }) => {
    sent.push({ call: 'note', body })
    return schedule
  })
  await open('on-call', `&schedule=${id(1)}`)
  await page.getByRole('button', { name: 'Make address' }).click()
  await expect.element(page.getByText('https://portal.example/secret.ics')).toBeVisible()
  await expect.element(page.getByText('it is not shown again', { exact: false })).toBeVisible()
  await page.getByRole('textbox', { name: 'Note for the next person' }).fill('Pump 3 is loud')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect.poll(() => sent).toEqual([{ call: 'note', body: { text: 'Pump 3 is loud' } }])
})

test('a schedule is changed by its form; a layer and an override are added', async () => {
  answer(notificationsApi.replaceSchedule, ({ body }) => {
    sent.push({ call: 'replace', body })
    return schedule
  })
  await open('on-call', `&schedule=${id(1)}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'Add override' }).click()
  expect(await faults()).toEqual([])
  const added = page.getByRole('group', { name: /Override 1/ })
  await added.getByRole('textbox', { name: 'Person' }).fill('adam')
  await added.getByLabelText(/^From/).fill('2026-01-10T08:00')
  await added.getByLabelText(/^Until/).fill('2026-01-11T08:00')
  await save().click()
  await expect.poll(() => sent.length).toBe(1)
  expect(sent[0]?.body).toEqual({
    name: 'Weeks',
    zone: 'Europe/Berlin',
    layers: schedule.layers,
    overrides: [{ person: 'adam', from: Date.UTC(2026, 0, 10, 7), to: Date.UTC(2026, 0, 11, 7) }],
  })
})

test.each(['escalations', 'on-call', `on-call&schedule=${id(1)}`])(
  'on a phone, in the dark and in German %s fits',
  async (tab) => {
    localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
    await phone()
    await open(tab, '', 'de')
    await expect.element(page.getByText(/Weeks|Night/).first()).toBeVisible()
    await expect.poll(fitsWindow).toBe(true)
    expect(await faults()).toEqual([])
  },
)
