import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { section } from './section.ts'

const alarm = 'AAAAAAAAAAAAAAAAAAAAAA'
const at = Date.UTC(2026, 0, 5, 12)
const step = (gate: string, state: 'passed' | 'stopped' | 'waits', values = {}) => ({
  gate,
  state,
  saw: '',
  values,
})
const explained = (user: string) => ({
  user,
  alarm: { id: alarm, device: 'Oven 7', name: 'Too hot', severity: 6 },
  rules: [
    {
      notificationId: '00000000-0000-4000-8000-000000000001',
      name: 'Ovens',
      at,
      kind: 'raised',
      isTold: false,
      steps: [
        step('rule', 'passed'),
        step('severity', 'passed', { severity: 6, minimum: 3 }),
        step('burst', 'passed', { count: 3, at }),
        step('quiet', 'stopped', { channel: 'mail' }),
        step('no_address', 'stopped', { channel: 'mail' }),
      ],
    },
  ],
})
let asked: (string | null)[]
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  asked = []
  answer({})
  answer(notificationsApi.why, ({ query }) => {
    asked.push(query.get('user'))
    return query.get('user') === 'nobody'
      ? refusedWith(404, 'notifications.not_found', {})
      : explained(query.get('user') ?? 'erika')
  })
  answer(notificationsApi.whyDelivery, () => explained('oskar'))
})
const open = (search: string, language: 'en' | 'de' = 'en') =>
  openPortal(`/notifications/why${search}`, { sections: [section], who: session(), language })

test('why somebody was not told is said gate by gate, for any person [R-17 in part]', async () => {
  await open(`?alarm=${alarm}`)
  await expect.element(page.getByText('erika was not told')).toBeVisible()
  const lines = page.getByRole('main').getByRole('listitem')
  await expect
    .element(lines.nth(1))
    .toMatchTextContent(/Passed.*Severity.*Critical is at least Medium/)
  await expect.element(lines.nth(2)).toMatchTextContent(/3 alarms were told together at/)
  await expect
    .element(lines.nth(3))
    .toMatchTextContent(/Stopped here.*Quiet hours.*Email: the person has quiet hours/)
  await expect.element(lines.nth(4)).toMatchTextContent(/Email: The person has no email address/)
  expect(await faults()).toEqual([])
  await page.getByRole('textbox', { name: 'Person' }).fill('vera')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.element(page.getByText('vera was not told')).toBeVisible()
  expect(asked.at(-1)).toBe('vera')
  await page.getByRole('textbox', { name: 'Person' }).fill('nobody')
  await page.getByRole('button', { name: 'Ask' }).click()
  await expect.element(page.getByText(/Not found/).first()).toBeVisible()
})

test('a delivery is explained for its recipient, also on a phone, in the dark and in German', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  await open('?delivery=00000000-0000-4000-8000-000000000002', 'de')
  await expect.element(page.getByText('oskar wurde nicht benachrichtigt')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})

test('without an alarm the page says where to begin', async () => {
  await open('')
  await expect.element(page.getByText('No alarm chosen')).toBeVisible()
})
