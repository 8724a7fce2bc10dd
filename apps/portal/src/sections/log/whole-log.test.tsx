import type { Permission } from '@longreach/authorization/permissions'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { auditApi } from '../../parts/audit/audit-calls.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { fitsWindow } from '@longreach/ui/ui-testing'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { section as logSection } from './section.ts'

const minute = 60_000
const now = Date.now()
const deviceId = 'oven'.padEnd(22, '0')
const organization = 'nordwerk'
let asked: { source: string; query: Record<string, string> }[]
let sent: string[]
let entries: number

const note = (source: string, query: URLSearchParams) =>
  asked.push({ source, query: Object.fromEntries(query) })
const entry = (id: number) => ({
  id,
  at: new Date(now - (entries - id) * minute),
  organization,
  call: 'mappings.updateDevice',
  resource: 'devices',
  action: 'update',
  target: deviceId,
  label: `Oven ${id}`,
  outcome: 'done' as const,
  status: null,
  code: null,
  count: 1,
  actor: {
    kind: 'user' as const,
    sub: 's',
    username: 'anna',
    realm: 'nordwerk',
    apiKey: null,
    impersonator: null,
  },
  ip: '',
  actorUsername: 'anna',
  impersonatedUsername: null,
  entityId: deviceId,
  entityIdString: deviceId,
  entityType: 'devices',
  event: 'update',
  orgResourceId: organization,
  timestamp: now,
})
const delivery = (state: 'SENT' | 'FAILED') => ({
  id: '11111111-1111-4111-8111-111111111111',
  messageId: '21111111-1111-4111-8111-111111111111',
  notificationId: null,
  notificationName: 'Ovens at night',
  orgResourceId: organization,
  kind: 'alarms' as const,
  about: 'Oven 7: Too hot',
  alarms: 1,
  severity: 5,
  recipient: 'oskar',
  channel: 'webhook',
  channelId: null,
  outside: false,
  state,
  gate: '',
  attempt: 3,
  repeated: false,
  answer: '502 bad gateway',
  ms: 12,
  nextAt: null,
  createdAt: now - 2.5 * minute,
  updatedAt: now,
})
const mail = {
  id: 4,
  recipient: 'eva@nordwerk.example',
  kind: 'invitation',
  status: 'FAILED',
  attempts: 5,
  error: '550 no such user',
  organization,
  createdAt: new Date(now - 3.5 * minute),
  updatedAt: new Date(now),
  nextAt: null,
  validUntil: null,
}

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  asked = []
  sent = []
  entries = 3
  answer({})
  answer(api.core.mine, () => [])
  answer(auditApi.search, ({ query }) => {
    note('audit', query)
    const start = Number(query.get('cursor') ?? 0)
    const data = Array.from({ length: Math.min(100, entries - start) }, (_, n) =>
      entry(entries - start - n),
    )
    return { data, next: start + 100 < entries ? String(start + 100) : null }
  })
  answer(notificationsApi.deliveryLog, ({ query }) => {
    note('delivery', query)
    return { data: [delivery(query.get('failed') === 'true' ? 'FAILED' : 'SENT')], next: null }
  })
  answer(notificationsApi.sendAgain, ({ params }) => {
    sent.push(params.id ?? '')
    return delivery('SENT')
  })
  answer(api.core.mails, () => ({
    content: [mail] as never[],
    number: 0,
    totalElements: 1,
    totalPages: 1,
    last: true,
    size: 200,
    numberOfElements: 1,
    first: true,
    empty: false,
    page: 0,
    pageSize: 200,
    next: null,
    sending: true,
  }))
  answer(api.core.retryMail, () => {
    sent.push('mail')
    return mail as never
  })
  answer(api.platform.timelineOfDevices, ({ query }) => {
    note('device', query)
    const data = [
      {
        id: '31111111-1111-4111-8111-111111111111',
        at: now - 1.5 * minute,
        until: null,
        kind: 'connection',
        by: null,
        own: false,
        modelPath: null,
        data: { connected: false },
        deviceId,
        device: 'Oven 7',
        orgResourceId: organization,
      },
    ]
    return { data, next: null }
  })
  answer(alarmsApi.actionLog, ({ query }) => {
    note('action', query)
    const data = [
      {
        alarm: 'a'.padEnd(22, '0'),
        n: 2,
        at: now - 0.5 * minute,
        kind: 'acknowledged',
        by: 'erika',
        comment: 'fan stood still',
        name: 'Too hot',
        severity: 5,
        deviceId,
        device: 'Oven 7',
        orgResourceId: organization,
      },
    ]
    return { data, next: null }
  })
})

const open = (path = '/log', who = session()) => openPortal(path, { sections: [logSection], who })
const rows = () =>
  page
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.textContent)

test('audit entries, messages, devices and actions are one list by time [R-20]', async () => {
  await open()
  await expect.poll(() => rows().length).toBe(7)
  const wanted = [
    /Device: changed.*Oven 3.*anna.*Done/,
    /Acknowledged.*Oven 7: Too hot.*erika/,
    /Device: changed.*Oven 2/,
    /Disconnected.*Oven 7/,
    /Device: changed.*Oven 1/,
    /Message by webhook.*Oven 7: Too hot.*oskar.*Sent/,
    /Email about an account.*Invitation.*eva@.*Failed/,
  ]
  for (const [at, text] of wanted.entries()) expect(rows()[at]).toMatch(text)
  expect(await faults()).toEqual([])
})

test('filters stand in the address and are asked of each source', async () => {
  const router = await open('/log?kind=device&time=24h')
  await page.getByRole('searchbox', { name: 'Device' }).fill('oven')
  await page.getByRole('searchbox', { name: 'Person' }).fill('erika')
  await page.getByRole('searchbox', { name: 'Search in the log' }).fill('hot')
  await expect
    .poll(() => router.state.location.search)
    .toEqual({ kind: 'device', time: '24h', device: 'oven', person: 'erika', q: 'hot' })
  await expect
    .poll(() => asked.at(-1))
    .toMatchObject({
      source: 'device',
      query: { device: 'oven', person: 'erika', text: 'hot', without: 'alarmAction' },
    })
  await page.getByText('All', { exact: true }).click()
  await expect
    .poll(() => asked.findLast(({ source }) => source === 'audit')?.query['text'])
    .toBe('hot erika oven')
})

test('a line shows its details, a source that is away is named', async () => {
  answer(notificationsApi.deliveryLog, () => Response.json({ code: 'internal' }, { status: 500 }))
  await open(`/log?line=action:${'a'.padEnd(22, '0')}:2`)
  const panel = page.getByRole('complementary', { name: 'Acknowledged' })
  await expect.element(panel.getByText('fan stood still')).toBeVisible()
  await expect
    .element(
      page.getByText('Notification: no answer. These lines are missing; the others are shown.'),
    )
    .toBeVisible()
  expect(rows()).toHaveLength(6)
  expect(await faults()).toEqual([])
})

test('each source is read only by who may read it [R-20 in part]', async () => {
  const permissions = new Set<Permission>(['portal:access', 'audit:access', 'roles:read'])
  await open('/log', session({ permissions }))
  await expect.poll(() => rows().length).toBe(3)
  expect(new Set(asked.map(({ source }) => source))).toEqual(new Set(['audit']))
})

test('ten thousand lines are read on by scrolling, and saved as a file', async () => {
  entries = 10_000
  await open('/log?time=90d')
  await expect.element(page.getByText('200 lines, more below')).toBeVisible()
  document.querySelector('[role=grid]')?.parentElement?.scrollTo({ top: 100_000 })
  await expect.element(page.getByText('400 lines, more below')).toBeVisible()
  expect(page.getByRole('row').elements().length).toBeLessThan(200)
  let saved: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob
    return 'blob:log'
  })
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.poll(() => saved).toBeDefined()
  const text = (await saved?.text()) ?? ''
  expect(text.trim().split('\n')).toHaveLength(10_001)
  expect(text).toContain('Oven 7: Too hot,erika')
  vi.restoreAllMocks()
})

test('failed notifications and mails stand below the log, and are sent again [R-20] [C-29 in part]', async () => {
  await open()
  await page.getByRole('link', { name: 'Failed notifications' }).click()
  const row = (name: RegExp) => page.getByRole('row', { name })
  await expect.element(row(/oskar.*Oven 7: Too hot.*502 bad gateway/)).toBeVisible()
  await expect.element(row(/eva@.*550 no such user/)).toBeVisible()
  expect(location.pathname).toBe('/log/failed-notifications')
  expect(await faults()).toEqual([])
  await row(/oskar/).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => sent).toEqual([delivery('FAILED').id])
  await row(/eva@/).getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => sent).toEqual([delivery('FAILED').id, 'mail'])
})

test.for(['audit:access', 'roles:read'] as const)(
  'nobody sees failed notifications without %s [R-20 in part]',
  async (missing) => {
    const permissions = new Set(session().permissions)
    permissions.delete(missing)
    const path = '/log/failed-notifications'
    const router = await open(path, session({ permissions }))
    await expect.poll(() => router.state.location.pathname).not.toBe(path)
  },
)

test('on a phone, in the dark and in German the log is as readable', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await phone()
  await openPortal('/log', { sections: [logSection], language: 'de' })
  await expect.element(page.getByText('Quittiert')).toBeVisible()
  expect(fitsWindow()).toBe(true)
  expect(await faults()).toEqual([])
})
