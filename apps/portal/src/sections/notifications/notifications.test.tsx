import { fitsWindow } from '@longreach/ui/ui-testing'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { queries } from '../../parts/api/queries.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { section } from './section.ts'

const message = (n: number, more = {}) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  orgResourceId: 'nordwerk',
  severity: 6,
  subject: `[Critical] Oven ${n}: Too hot`,
  body: 'Limit: 230\nWhat to do: Open the door',
  alarmIds: [],
  deviceId: null,
  createdAt: Date.now() - 60_000,
  isRead: false,
  ...more,
})
let stored: ReturnType<typeof message>[]
let saved: unknown[]
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  saved = []
  stored = [message(1), message(2, { severity: 3, isRead: true })]
  answer({})
  answer(notificationsApi.inbox, ({ query }) => ({
    data: stored.filter(({ isRead }) => query.get('unread') === null || !isRead),
    next: null,
    unread: stored.filter(({ isRead }) => !isRead).length,
  }))
  answer(notificationsApi.readInbox, ({ body: { ids } }) => {
    stored = stored.map((one) =>
      ids === undefined || ids.includes(one.id) ? { ...one, isRead: true } : one,
    )
    return { unread: 0 }
  })
  answer(notificationsApi.preferences, () => ({
    bySeverity: {},
    quiet: null,
    pausedUntil: null,
    language: null,
  }))
  answer(notificationsApi.push, () => ({
    publicKey: 'BA',
    subscriptions: [
      {
        id: message(9).id,
        label: 'Firefox, Linux',
        host: 'push.example',
        endpointHash: 'of another browser',
        createdAt: 0,
        sentAt: null,
      },
    ],
  }))
  answer(notificationsApi.setPreferences, ({ body }) => {
    saved.push(body)
    return body
  })
})
const open = (path = '/notifications', who = session()) =>
  openPortal(path, { sections: [section], who })
const row = (name: RegExp) => page.getByRole('row', { name })

test('a message says what it is about, and is read when it is opened [R-17]', async () => {
  await open()
  await expect.element(row(/Oven 1/)).toMatchTextContent(/Critical.*Unread/)
  await expect.element(row(/Oven 2/)).toMatchTextContent(/Medium.*Read/)
  expect(await faults()).toEqual([])
  await row(/Oven 1/).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/What to do: Open the door/)
  expect(await faults()).toEqual([])
  await expect.poll(() => stored[0]?.isRead).toBe(true)
})

test('unread messages are shown alone, and all are marked as read', async () => {
  await open()
  await expect.element(row(/Oven 2/)).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Messages shown' }).getByText('Unread').click()
  await expect.poll(() => location.search).toBe('?unread=true')
  await expect.element(row(/Oven 2/)).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.element(page.getByText('You have read all messages').first()).toBeVisible()
})

test('preferences choose mails by severity, quiet hours and language', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open()
  await page.getByRole('button', { name: 'Preferences' }).click()
  const mails = page.getByRole('group', { name: 'Send an email for' })
  await mails.getByRole('checkbox', { name: 'Low' }).click()
  const browsers = page.getByRole('group', { name: 'Show in browsers' })
  await browsers.getByRole('checkbox', { name: 'High' }).click()
  await page.getByRole('checkbox', { name: 'Quiet hours' }).click()
  await page.getByLabelText('Pause messages until').fill('2026-12-24T18:00')
  await expect.element(page.getByText('Firefox, Linux')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect.poll(() => saved.length).toBe(1)
  expect(saved[0]).toMatchObject({
    bySeverity: { '1': ['inbox', 'push'], '2': ['inbox', 'push'], '5': ['inbox', 'mail'] },
    pausedUntil: expect.any(Number),
    quiet: { from: '22:00', to: '06:00', through: 6 },
  })
})

test('without the permission, or without IoT, nobody enters [R-17]', async () => {
  await open('/notifications', session({ permissions: new Set(['portal:access']) }))
  await expect.element(row(/Oven 1/)).not.toBeInTheDocument()
})

test('on a phone messages are cards', async () => {
  await phone()
  await open()
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Oven 1' })).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
