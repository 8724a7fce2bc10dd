import type { auditContract } from '@longreach/audit/contract'
import type { Result } from '@longreach/kit/contract'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { api } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { auditApi } from '../../parts/audit/audit-calls.ts'
import {
  answer,
  desktop,
  faults,
  openPortal,
  organization,
  phone,
  session,
} from '../../page-testing.tsx'
import type { Reply } from '../../page-answers.ts'
import { section as logSection } from './section.ts'

type Endpoints = (typeof auditContract)['endpoints']
type Entry = Result<Endpoints['search']>['data'][number]
type Verification = Reply<Endpoints['verification']>

const entry = (id: number, more: Partial<Entry> = {}): Entry => ({
  id,
  at: new Date(Date.now() - (10_000 - id) * 60_000),
  organization: 'nordwerk',
  call: 'mappings.updateDevice',
  resource: 'devices',
  action: 'update',
  target: `device-${id}`,
  label: `Oven ${id}`,
  outcome: 'done',
  status: null,
  code: null,
  count: 1,
  actor: {
    kind: 'user',
    sub: 'a-subject',
    username: 'anna',
    realm: 'nordwerk',
    apiKey: null,
    impersonator: null,
  },
  ip: '10.0.0.5',
  actorUsername: 'anna',
  impersonatedUsername: null,
  entityId: `device-${id}`,
  entityIdString: `device-${id}`,
  entityType: 'devices',
  event: 'update',
  orgResourceId: 'nordwerk',
  timestamp: Date.now() - (10_000 - id) * 60_000,
  ...more,
})

const many = Array.from({ length: 10_000 }, (_, n) => entry(10_000 - n))
const few = [
  entry(4, { actor: { ...entry(0).actor, kind: 'apiKey', apiKey: 7, username: 'robot' } }),
  entry(3, {
    actor: { ...entry(0).actor, impersonator: { sub: 'x', username: 'adam' } },
    resource: 'roles',
    action: 'delete',
    call: 'core.deleteRole',
    label: 'Operator',
  }),
  entry(2, {
    outcome: 'refused',
    status: 403,
    code: 'auth.missing_permission',
    count: 12,
    resource: 'somethingNew',
    action: 'doThings',
  }),
  entry(1, { call: 'platform.writeTags' }),
]
let lines: Entry[] = few
let asked: URLSearchParams[] = []
let kept: unknown

function search({ query }: { query: URLSearchParams }) {
  asked.push(query)
  const start = Number(query.get('cursor') ?? 0)
  const data = lines.slice(start, start + 100)
  return { data, next: start + 100 < lines.length ? String(start + 100) : null }
}
const retention = { days: 365, own: null, from: null, least: 30, most: 3650, oldest: new Date(0) }
const verification = (state: Verification['state'], fault: Verification['fault'] = null) => ({
  state,
  progress: state === 'running' ? 0.4 : 1,
  startedAt: new Date(),
  finishedAt: state === 'running' ? null : new Date(),
  fault,
})

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
  lines = few
  asked = []
  kept = undefined
  answer({})
  answer(api.core.mine, () => [organization('nordwerk')])
  answer(auditApi.search, search)
  answer(auditApi.entry, () => ({
    ...entry(3),
    ...few[1],
    before: {
      label: 'Operator',
      rules: [{ resource: 'users', actions: ['read'] }],
      inherit: true,
    },
    after: { label: 'Operators', rules: [{ resource: 'users', actions: [] }], inherit: true },
    input: null,
    hash: 'ab'.repeat(32),
  }))
  answer(auditApi.facets, () => ({
    resources: [
      { value: 'devices', count: 3 },
      { value: 'alarms', count: 2 },
    ],
    actions: [{ value: 'update', count: 3 }],
    calls: [
      { value: 'core.updateDevice', count: 3 },
      { value: 'alarms.createRule', count: 1 },
      { value: 'alarms.replaceRule', count: 1 },
      { value: 'notifications.createSchedule', count: 1 },
    ],
    outcomes: [
      { value: 'done', count: 3 },
      { value: 'refused', count: 1 },
    ],
    actors: [{ value: 'anna', kind: 'user' as const, count: 3 }],
  }))
  answer(auditApi.retention, () => retention)
  answer(auditApi.setRetention, ({ body }) => ((kept = body), retention))
  answer(auditApi.verification, () =>
    verification('broken', { kind: 'cut', message: '', seq: 7, at: null }),
  )
  answer(auditApi.verify, () => verification('running'))
})

const open = (path = '/log?kind=audit', who = session()) =>
  openPortal(path, { sections: [logSection], who })
const grid = () => page.getByRole('grid', { name: 'Audit trail' })

test('the log says who did what on what, and whether it was refused [R-20 in part]', async () => {
  await open()
  await expect.element(grid()).toBeVisible()
  const row = (name: RegExp) => grid().getByRole('row', { name })
  await expect.element(row(/API key 7 of robot.*Device: changed.*Oven 4/)).toBeVisible()
  await expect.element(row(/anna · impersonated by adam.*Role: deleted.*Operator/)).toBeVisible()
  await expect.element(row(/something new: do things.*Refused.*12 times/)).toBeVisible()
  await expect.element(row(/Device: value written/)).toBeVisible()
  expect(await faults()).toEqual([])
})

test('filters stand in the address and are asked of the server [R-20 in part]', async () => {
  const router = await open('/log?time=24h&resource=devices&target=device-4&outcome=done')
  await expect.element(page.getByText('Only device-4')).toBeVisible()
  await expect
    .poll(() => Object.fromEntries(asked.at(-1) ?? []))
    .toMatchObject({
      organization: 'nordwerk.*',
      resource: 'devices',
      target: 'device-4',
      outcome: 'done',
    })
  await page.getByRole('button', { name: 'Remove filter “Only device-4”' }).click()
  await page.getByRole('searchbox').fill('oven 7')
  await page.getByRole('button', { name: /Refused/ }).click()
  await page.getByRole('checkbox', { name: 'Include sub-organizations' }).click()
  await expect
    .poll(() => router.state.location.search)
    .toEqual({
      time: '24h',
      resource: 'devices',
      q: 'oven 7',
      outcome: 'refused',
      below: 'false',
    })
  await expect
    .poll(() => Object.fromEntries(asked.at(-1) ?? []))
    .toMatchObject({ organization: 'nordwerk', text: 'oven 7', outcome: 'refused' })
})

test('rules, shelves and schedules are chosen by their own words', async () => {
  const router = await open()
  await page.getByRole('combobox', { name: 'Anything' }).click()
  const options = () =>
    page
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent)
  await expect.poll(options).toEqual(['Device', 'Alarm', 'Alarm rule', 'On-call schedule'])
  expect(await faults()).toEqual([])
  await page.getByRole('option', { name: 'Alarm rule' }).click()
  await expect.poll(() => router.state.location.search).toMatchObject({ resource: 'alarmRule' })
  await expect.poll(() => asked.at(-1)?.getAll('call')).toContain('alarms.createRule')
  expect(asked.at(-1)?.has('resource')).toBe(false)
})

test('a line shows what changed, and narrows the list to its thing', async () => {
  const router = await open('/log?line=3')
  const panel = page.getByRole('complementary', { name: 'Role: deleted' })
  await expect.element(panel.getByRole('row', { name: 'label Operator Operators' })).toBeVisible()
  await expect.element(panel.getByText('2 fields unchanged')).toBeVisible()
  await expect.element(panel.getByRole('button', { name: /Copy ID$/ })).toBeVisible()
  expect(await faults()).toEqual([])
  await panel.getByRole('button', { name: 'History of this' }).click()
  await expect
    .poll(() => router.state.location.search)
    .toMatchObject({ resource: 'roles', target: 'device-3' })
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => router.state.location.search).not.toHaveProperty('line')
})

test('ten thousand lines are read on by scrolling', async () => {
  lines = many
  await open()
  await expect.element(grid().getByText('Oven 10000')).toBeVisible()
  await expect.element(page.getByText('100 entries, more below')).toBeVisible()
  document.querySelector('[role=grid]')?.parentElement?.scrollTo({ top: 100_000 })
  await expect.element(page.getByText('200 entries, more below')).toBeVisible()
})

test('where nothing happened the page says so and offers a longer time', async () => {
  lines = []
  const router = await open()
  await page.getByRole('button', { name: 'Show 90 days' }).click()
  await expect.poll(() => router.state.location.search).toEqual({ kind: 'audit', time: '90d' })
  await page.getByRole('searchbox').fill('x')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => router.state.location.search).toEqual({ kind: 'audit', time: '90d' })
})

test('a log that cannot be read is told, and tried again', async () => {
  answer({ 'GET /svc/core/api/v1/organizations/mine': () => [] })
  await open()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the retention is chosen within its limits', async () => {
  await open()
  await page.getByRole('button', { name: 'Retention' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retention' })
  await expect.element(dialog.getByText('Default: 365 days')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Custom' }).click()
  await dialog.getByRole('textbox', { name: 'Days' }).fill('12')
  await dialog.getByRole('button', { name: 'Save retention' }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'Days' })).toHaveFocus()
  await dialog.getByRole('textbox', { name: 'Days' }).fill('90')
  await expect
    .element(dialog.getByText(/Entries from before .* will be deleted within the hour/))
    .toBeVisible()
  expect(await faults()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => kept).toEqual({ days: 90 })
})

test('who may not change the organization is told why the retention stays', async () => {
  const permissions = new Set(['portal:access', 'audit:access', 'roles:read'] as const)
  await open('/log?kind=audit', session({ permissions }))
  const button = page.getByRole('button', { name: 'Retention' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
})

test('the chain is checked and what is wrong with it is told', async () => {
  await open()
  await page.getByRole('button', { name: 'Verify' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify the audit trail' })
  await expect.element(dialog.getByText('Broken at entry 7')).toBeVisible()
  await expect
    .element(dialog.getByText('This entry and all later ones were removed.'))
    .toBeVisible()
  expect(await faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Verify now' }).click()
  await expect.element(dialog.getByText('Verifying: 40%')).toBeVisible()
})

test('nobody enters without both permissions [R-20 in part]', async () => {
  const permissions = new Set(['portal:access', 'audit:access'] as const)
  const router = await open('/log', session({ permissions }))
  await expect.poll(() => router.state.location.pathname).not.toBe('/log')
})

test('on a phone the lines are cards and nothing runs out of the screen', async () => {
  await phone()
  await open()
  await expect.element(page.getByText('Role: deleted')).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await faults()).toEqual([])
})

test('in the dark and in German it is as readable', async () => {
  localStorage.setItem('longreach.scheme', JSON.stringify('dark'))
  await open('/log?line=3')
  await expect.element(page.getByText('2 fields unchanged')).toBeVisible()
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await expect.element(page.getByText('2 Felder unverändert')).toBeVisible()
  await page.getByRole('button', { name: 'Schließen' }).click()
  await phone()
  await expect.element(page.getByText('Rolle: gelöscht')).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await faults()).toEqual([])
  document.cookie = 'cc2locale=; max-age=0; path=/'
})
