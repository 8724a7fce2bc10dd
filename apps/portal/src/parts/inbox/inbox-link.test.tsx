import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answer, desktop, faults, openPortal, organization, session } from '../../page-testing.tsx'
import { section } from '../../sections/notifications/section.ts'
import { queries } from '../api/queries.ts'
import { notificationsApi } from '../notifications/notification-calls.ts'

const browserSocket = globalThis.WebSocket
let tell: ((message: object) => void) | undefined

/** Live socket that takes every subscription, and says what the test tells it. */
class ToldSocket extends EventTarget {
  constructor() {
    super()
    tell = (message) => {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
    }
    queueMicrotask(() => this.dispatchEvent(new Event('open')))
  }
  send(text: string) {
    const message = JSON.parse(text) as { op: string; id?: number; kind?: string }
    if (message.op === 'hello') tell?.({ op: 'ready' })
    if (message.op === 'sub') tell?.({ op: 'sub', id: message.id, ok: true })
    if (message.kind === 'inbox') inboxId = message.id
  }
  close() {
    this.dispatchEvent(new Event('close'))
  }
}
let inboxId: number | undefined
let unread: number
beforeEach(async () => {
  await desktop()
  localStorage.clear()
  queries.clear()
  inboxId = undefined
  unread = 3
  globalThis.WebSocket = ToldSocket as unknown as typeof WebSocket // as far as the portal uses it
  answer({})
  answer(notificationsApi.inbox, () => ({
    data: [],
    next: null,
    unread,
  }))
})
afterEach(() => {
  globalThis.WebSocket = browserSocket
})

const link = (name: string) => page.getByRole('link', { name })

test('the number of unread messages follows the live socket without a reload [R-17 in part]', async () => {
  // An organization of its own: the page has one live socket for each.
  const who = session({ organization: organization('inbox') })
  await openPortal('/notifications', { sections: [section], who })
  await expect.element(link('Notifications, 3 unread')).toBeVisible()
  await expect.element(page.getByText('3 unread').first()).toBeVisible()
  expect(await faults()).toEqual([])
  await expect.poll(() => inboxId).toBeDefined()
  unread = 4
  tell?.({ op: 'inbox', id: inboxId, unread, severity: 6 })
  await expect.element(link('Notifications, 4 unread')).toBeVisible()
  unread = 0
  tell?.({ op: 'inbox', id: inboxId, unread, severity: -1 })
  await expect.element(link('Notifications, none unread')).toBeVisible()
  unread = 120
  tell?.({ op: 'inbox', id: inboxId, unread, severity: 2 })
  await expect.element(page.getByText('99+')).toBeVisible()
})

test('who may not read notifications has no such link', async () => {
  const who = session({
    organization: organization('no-inbox'),
    permissions: new Set(['portal:access', 'devices:read']),
  })
  await openPortal('/notifications', { sections: [section], who })
  await expect.element(page.getByRole('button', { name: 'Language' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: /unread/ })).not.toBeInTheDocument()
})
