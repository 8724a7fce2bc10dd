import type { Permission } from '@longreach/authorization/permissions'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queries } from '../../parts/api/queries.ts'
import { recentOf, rememberOpened } from '../../parts/pages/recent.ts'
import { answer, desktop, faults, openPortal, phone, session } from '../../page-testing.tsx'
import { sections } from '../../sections.ts'

const [press, oven] = ['aaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbb']
const counts = {
  total: 5,
  online: 2,
  offline: 2,
  never: 1,
  withoutPreset: 0,
  configurationPending: 0,
  configurationFailed: 1,
}
const below = { ...counts, total: 2, online: 2, offline: 0, never: 0 }
const fleet = {
  counts,
  organizations: [
    { orgResourceId: 'nordwerk', ...counts, total: 3, online: 0, configurationFailed: 1 },
    { orgResourceId: 'nordwerk.press', ...below, configurationFailed: 0 },
  ],
  organizationCount: 2,
  failed: [{ deviceId: oven, label: 'Oven 2', orgResourceId: 'nordwerk', error: 'no room left' }],
}
const nothing = { total: 0, items: [] }
const calm = {
  now: 1,
  lost: nothing,
  approvals: [],
  expiring: nothing,
  sources: nothing,
  writes: [],
}
const on = { deviceId: press, label: 'Press 1', orgResourceId: 'nordwerk.press' }
const attention = {
  now: Date.now(),
  lost: { total: 12, items: [{ ...on, at: Date.now() - 60_000 }] },
  approvals: [
    {
      ...on,
      id: 'one',
      modelPath: 'Probe:1/speed',
      pathLabel: 'Speed',
      unit: 'm/min',
      v: 7,
      before: 5,
      reason: null,
      by: 'bruno',
      at: Date.now(),
      expiresAt: Date.now() + 3_600_000,
    },
  ],
  expiring: { total: 1, items: [{ ...on, kind: 'certificate', at: Date.now() + 86_400_000 }] },
  sources: nothing,
  writes: [
    {
      ...on,
      modelPath: 'Probe:1/zone/setPoint',
      pathLabel: 'Set-point',
      group: 'Zone 1',
      unit: '°C',
      from: 180,
      to: 185.5,
      status: 'confirmed',
      reason: 'warmer',
      by: 'anna',
      approvedBy: null,
      at: Date.now() - 5_000,
    },
  ],
}
const paths = {
  fleet: 'GET /svc/mappings/api/v1/devices/overview',
  attention: 'GET /svc/platform/api/v1/organizations/nordwerk.*/overview',
  requests: 'GET /svc/core/api/v1/organizations/nordwerk/accessRequests',
  invitations: 'GET /svc/core/api/v1/invitations',
  activity: 'POST /svc/platform/api/v1/organizations/nordwerk.*/devices/activity',
}
const answers = {
  [paths.fleet]: () => fleet,
  [paths.attention]: () => attention,
  [paths.requests]: () => ({ total: 3, content: [] }),
  [paths.invitations]: () => [],
}

beforeEach(async () => {
  localStorage.clear()
  queries.clear()
  await desktop()
})
afterEach(() => localStorage.clear())

test('the fleet, what needs somebody and the last writes stand on one page', async () => {
  answer(answers)
  await openPortal('/overview', { sections })
  await expect.element(page.getByRole('link', { name: '2 Offline' })).toBeVisible()
  const row = page.getByRole('row', { name: /nordwerk\.press/ })
  await expect.element(row).toHaveTextContent('nordwerk.press200')
  const lost = page.getByRole('link', { name: '12 devices went offline in the last 24 hours' })
  await expect.element(lost).toHaveAttribute('href', '/devices?state=offline&sort=-seen')
  await expect.element(page.getByText('1 device rejected its configuration')).toBeVisible()
  await expect.element(page.getByText('no room left')).toBeVisible()
  await expect.element(page.getByText('Press 1 · Speed')).toBeVisible()
  await expect.element(page.getByText(/5 → 7 m\/min · requested by bruno · until/)).toBeVisible()
  const requests = page.getByRole('link', { name: '3 people request access' })
  await expect.element(requests).toHaveAttribute('href', '/permission?requests=open')
  await expect.element(page.getByText('180 → 185.5 °C')).toBeVisible()
  const written = page.getByRole('link', { name: 'Press 1 · Zone 1 · Set-point' })
  await expect.element(written).toHaveAttribute('title', 'zone/setPoint')
  await expect.element(page.getByText('Confirmed')).toBeVisible()
  expect(await faults()).toEqual([])
  await phone()
  await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  expect(await faults()).toEqual([])
})

test('a reader of devices is not asked about people, and learns that nothing is to be done', async () => {
  const asked: string[] = []
  answer({
    [paths.fleet]: () => ({ ...fleet, counts: { ...counts, configurationFailed: 0 }, failed: [] }),
    [paths.attention]: () => calm,
    [paths.requests]: () => asked.push('requests'),
    [paths.invitations]: () => [],
  })
  const permissions = new Set<Permission>(['portal:access', 'devices:read'])
  await openPortal('/overview', { sections, who: session({ permissions }) })
  await expect.element(page.getByText('Nothing needs your attention.')).toBeVisible()
  await expect.element(page.getByText('No values were written in the last 30 days.')).toBeVisible()
  expect(asked).toEqual([])
})

test('a new organization is told what to do first, by those who may do it', async () => {
  const none = Object.fromEntries(Object.keys(counts).map((key) => [key, 0]))
  answer({
    ...answers,
    [paths.fleet]: () => ({ counts: none, organizations: [], organizationCount: 0, failed: [] }),
    [paths.attention]: () => calm,
  })
  await openPortal('/overview', { sections })
  const connect = page.getByRole('link', { name: 'Connect a device' })
  await expect.element(connect).toHaveAttribute('href', '/walkthrough')
  await expect.element(page.getByRole('link', { name: 'Invite people' })).toBeVisible()
  expect(await faults()).toEqual([])
})

test('what fails is said where it belongs, and the rest of the page works on', async () => {
  answer({
    ...answers,
    [paths.fleet]: () => {
      throw new TypeError('no network')
    },
  })
  await openPortal('/overview', { sections })
  await expect.element(page.getByText('180 → 185.5 °C')).toBeVisible()
  const written = page.getByRole('link', { name: 'Press 1 · Zone 1 · Set-point' })
  await expect.element(written).toHaveAttribute('title', 'zone/setPoint')
  await expect.element(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
  await expect.element(page.getByText(/12 devices went offline/)).toBeVisible()
})

test('what was written is shown in the unit that the person reads; other units stay', async () => {
  localStorage.setItem('longreach.temperature', '"fahrenheit"')
  answer(answers)
  await openPortal('/overview', { sections })
  await expect.element(page.getByText('356 → 365.9 °F')).toBeVisible()
  await expect.element(page.getByText(/5 → 7 m\/min · requested by bruno/)).toBeVisible()
})

test('devices and pages that were opened stand there, but none that is not to be seen any more', async () => {
  const who = session()
  rememberOpened(who, { kind: 'device', id: oven, label: 'Oven 2' })
  rememberOpened(who, { kind: 'device', id: press, label: 'Press 1' })
  rememberOpened(who, { kind: 'page', id: 'presets' })
  rememberOpened(session({ subject: 'another' }), { kind: 'page', id: 'roles' })
  const data = [
    { deviceId: press, connected: true, connectedBefore: true, changes: [], lastMessageAt: 1 },
  ]
  answer({ ...answers, [paths.activity]: () => ({ now: 1, data }) })
  await openPortal('/overview', { sections, who })
  const recent = page.getByRole('region', { name: 'Recently opened' })
  await expect.element(recent.getByRole('link', { name: 'Press 1' })).toBeVisible()
  await expect.element(recent.getByRole('link', { name: 'Presets' })).toBeVisible()
  await expect.element(recent.getByText('Oven 2')).not.toBeInTheDocument()
  await expect.element(recent.getByText('Roles')).not.toBeInTheDocument()
})

test('of each kind the last twelve are remembered, each once', () => {
  const who = session()
  for (let at = 0; at < 20; at += 1) rememberOpened(who, { kind: 'page', id: `page-${at}` })
  rememberOpened(who, { kind: 'device', id: press, label: 'Press' })
  rememberOpened(who, { kind: 'page', id: 'page-15' })
  const pages = recentOf(who).flatMap(({ kind, id }) => (kind === 'page' ? [id] : []))
  expect(pages.slice(0, 3)).toEqual(['page-15', 'page-19', 'page-18'])
  expect(pages).toHaveLength(12)
  expect(recentOf(who)).toHaveLength(13)
})
