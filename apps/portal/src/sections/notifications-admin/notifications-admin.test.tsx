import { toDataPage } from '@longreach/kit/contract'
import { fitsWindow, hintOf } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { refusedWith } from '../../parts/api/calls-testing.ts'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { section } from './section.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const rule = (more = {}) => ({
  id: id(1),
  realmId: 'nordwerk',
  orgResourceId: 'nordwerk',
  updatedAt: Date.now(),
  name: 'Ovens',
  minimumSeverity: 5,
  recipientFilters: ['anna', { type: 'group' as const, id: 7 }],
  extraFilters: ['tag == "T1"'],
  ...more,
})
const channel = {
  id: id(2),
  name: 'Plant',
  type: 'teams' as const,
  enabled: true,
  language: 'en' as const,
  orgResourceId: 'nordwerk',
  config: {},
  secrets: ['url'],
  isRetiring: true,
  updatedAt: Date.now(),
  updatedBy: 'anna',
}
const delivery = (n: number, more = {}) => ({
  id: id(n),
  messageId: id(9),
  notificationId: id(1),
  notificationName: 'Ovens',
  orgResourceId: 'nordwerk',
  kind: 'alarms' as const,
  about: `Oven ${n}: Too hot`,
  alarms: 1,
  severity: 6,
  recipient: 'anna',
  channel: 'mail',
  channelId: null,
  outside: false,
  state: 'SENT' as const,
  gate: '',
  attempt: 1,
  repeated: false,
  answer: '250 ok',
  ms: 12,
  nextAt: null,
  createdAt: Date.now(),
  updatedAt: Date.now(),
  ...more,
})
const asked = { page: 0, pageSize: 200 }
let sent: { call: string; body: unknown }[]
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  sent = []
  const deliveries = [
    delivery(3),
    delivery(4, { state: 'FAILED', answer: '550 no such user' }),
    delivery(5, { state: 'DROPPED', gate: 'no_right', answer: '' }),
  ]
  answer({})
  answer(notificationsApi.notifications, () => toDataPage([rule()], 1, asked))
  answer(notificationsApi.channels, () => ({ data: [channel] }))
  answer(notificationsApi.deliveries, ({ query }) => {
    const found = deliveries.filter(
      ({ state }) => query.get('state') === null || state === query.get('state'),
    )
    return toDataPage(found, found.length, asked)
  })
  answer(notificationsApi.replaceNotification, ({ body }) => {
    sent.push({ call: 'replace', body })
    return rule()
  })
  answer(notificationsApi.sendAgain, ({ params }) => {
    sent.push({ call: 'again', body: params })
    return delivery(4)
  })
  answer(notificationsApi.testChannel, () => ({ ok: false, answer: '404 gone', ms: 3 }))
})
const open = (path = '/admin/notifications', who = session(), language: 'en' | 'de' = 'en') =>
  openPortal(path, { sections: [section], who, language })
const row = (name: RegExp) => page.getByRole('row', { name })
const save = () => page.getByRole('button', { name: 'Save', exact: true })

test('a rule is shown and changed; what its form does not have stays [R-21]', async () => {
  await open()
  await expect.element(row(/Ovens/)).toMatchTextContent(/On.*High.*anna, group:7/)
  expect(await faults()).toEqual([])
  await row(/Ovens/).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pumps')
  await save().click()
  await expect
    .poll(() => sent)
    .toMatchObject([
      {
        call: 'replace',
        body: {
          name: 'Pumps',
          extraFilters: ['tag == "T1"'],
          recipientFilters: ['anna', 'group:7'],
        },
      },
    ])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('escalation, summary, days, hours and zone of a rule are in its form [R-21 in part]', async () => {
  const kept = { orgResourceId: 'nordwerk', updatedAt: 0, updatedBy: 'anna' }
  const night = {
    ...kept,
    id: id(8),
    name: 'Night',
    steps: [{ afterMin: 5, to: [{ type: 'user' as const, id: 'adam' }] }],
    repeat: 0,
  }
  answer(notificationsApi.escalations, () => ({ data: [night] }))
  await open()
  await row(/Ovens/).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('combobox', { name: 'Escalation' }).click()
  await page.getByRole('option', { name: 'Night' }).click()
  await page.getByRole('combobox', { name: 'Summary' }).click()
  await page.getByRole('option', { name: 'Every few hours' }).click()
  await page.getByRole('checkbox', { name: 'Mon' }).click()
  await page.getByRole('switch', { name: 'Send only at certain hours' }).click()
  await page.getByRole('checkbox', { name: 'Also alarms of organizations below' }).click()
  expect(await faults()).toEqual([])
  await save().click()
  await expect
    .poll(() => sent)
    .toMatchObject([
      {
        body: {
          days: [1],
          longreach: {
            escalation: id(8),
            digest: { everyH: 8 },
            times: [{ days: [], from: '06:00', to: '22:00' }],
            zone: 'UTC',
            below: true,
          },
        },
      },
    ])
})

test('a new rule says which recipient is not there', async () => {
  answer(notificationsApi.createNotification, () =>
    refusedWith(422, 'notifications.no_recipient', { field: 'recipientFilters.0' }),
  )
  await open()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pumps')
  await save().click()
  await expect.element(page.getByText(/A recipient is missing/)).toBeVisible()
})

test('channels are listed with their state, tested, and made; a new secret is shown once', async () => {
  answer(notificationsApi.createChannel, ({ body }) => {
    sent.push({ call: 'create', body })
    return { ...channel, type: 'webhook', isRetiring: false, newSecret: 'whsec_abc' }
  })
  await open('/admin/notifications?tab=channels')
  await expect.element(row(/Plant/)).toMatchTextContent(/Teams.*Retired by Microsoft/)
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect.element(page.getByText('The test failed: 404 gone')).toBeVisible()
  await page.getByRole('button', { name: 'New channel' }).click()
  expect(await faults()).toEqual([])
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Hook')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.org/hook')
  await save().click()
  await expect
    .poll(() => sent)
    .toMatchObject([
      { body: { name: 'Hook', type: 'webhook', config: { url: 'https://example.org/hook' } } },
    ])
  await expect.element(page.getByText('whsec_abc')).toBeVisible()
})

test('deliveries say what became of them, and a failed one is sent again', async () => {
  await open('/admin/notifications?tab=deliveries')
  await expect.element(row(/Oven 4/)).toMatchTextContent(/Failed.*550 no such user/)
  await expect.element(row(/Oven 5/)).toMatchTextContent(/Not sent.*may not read the device/)
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => sent).toEqual([{ call: 'again', body: { id: id(4) } }])
  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Failed').click()
  await expect.element(row(/Oven 3/)).not.toBeInTheDocument()
})

test('who may not change notifications sees why', async () => {
  const permissions = new Set([
    'portal:access',
    'organizations:read',
    'organizations:update',
    'notifications:read',
  ] as const)
  await open('/admin/notifications', session({ permissions }))
  const add = page.getByRole('button', { name: 'New rule' })
  await expect.element(add).toHaveAttribute('aria-disabled', 'true')
  expect(await hintOf(add)).toMatch(/need permission to change notifications/)
})

test('without the permission to change the organization nobody enters [R-21]', async () => {
  await open(
    '/admin/notifications',
    session({ permissions: new Set(['portal:access', 'organizations:read']) }),
  )
  await expect.element(row(/Ovens/)).not.toBeInTheDocument()
})

test.each(['rules', 'channels', 'deliveries'])(
  'on a phone, in the dark and in German the tab %s fits',
  async (tab) => {
    localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
    await phone()
    await open(`/admin/notifications?tab=${tab}`, session(), 'de')
    await expect.element(page.getByRole('listitem').first()).toBeVisible()
    await expect.poll(fitsWindow).toBe(true)
    expect(await faults()).toEqual([])
  },
)

test('of 10,000 deliveries the newest come first, and further ones when the end of the list is in view', async () => {
  const pages: number[] = []
  answer(notificationsApi.deliveries, ({ query }) => {
    const at = Number(query.get('page') ?? 0)
    pages.push(at)
    const some = Array.from({ length: 200 }, (_, n) => {
      const number = at * 200 + n
      const known = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
      return delivery(1, { id: known, about: `Oven ${number}: Too hot` })
    })
    return toDataPage(some, 10_000, { page: at, pageSize: 200 })
  })
  await open('/admin/notifications?tab=deliveries')
  await expect.element(row(/Oven 0: /)).toBeVisible()
  // The list draws what is in view.
  expect(document.querySelectorAll('[role=row]').length).toBeLessThan(100)
  expect(await faults()).toEqual([])
  const list = document.querySelector('[role=grid]')!.parentElement!
  list.scrollTo({ top: (list.scrollHeight * 250) / 10_000 })
  await expect.element(row(/Oven 255: /)).toBeVisible()
  expect(pages).toEqual([0, 1])
})
