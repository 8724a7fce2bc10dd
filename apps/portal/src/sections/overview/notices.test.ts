import { expect, test } from 'vitest'
import { noticeSources, shownNotices } from './notices.ts'

const noticesOf = (id: string, answer: unknown) => {
  const source = noticeSources.find((one) => one.id === id)
  if (!source) throw new Error(`no source ${id}`)
  return shownNotices(source.notices(answer))
}
const none = { total: 0, items: [] }
const quiet = { lost: none, approvals: [], expiring: none, sources: none }
const fleet = {
  counts: { configurationFailed: 0, configurationPending: 0, withoutPreset: 0 },
  failed: [],
}
const oven = { deviceId: 'd1', label: 'Oven 1', orgResourceId: 'nordwerk.service' }

test('where nothing needs anybody there is no notice', () => {
  expect(noticesOf('platform', quiet)).toEqual([])
  expect(noticesOf('mappings', fleet)).toEqual([])
  expect(noticesOf('requests', { total: 0 })).toEqual([])
  expect(noticesOf('invitations', [])).toEqual([])
})

test('the grave notices come first', () => {
  const all = noticesOf('platform', {
    lost: { total: 2, items: [] },
    approvals: [
      {
        id: 'w1',
        ...oven,
        modelPath: 'Oven:1/setPoint',
        pathLabel: 'Set point',
        before: 180,
        v: 185,
        unit: '°C',
        by: 'erika',
        expiresAt: 99,
      },
    ],
    expiring: none,
    sources: { total: 1, items: [{ ...oven, source: 'plc', error: 'timeout' }] },
  })
  expect(all.map(({ id, total }) => `${id} ${total}`)).toEqual([
    'sources 1',
    'approvals 1',
    'lost 2',
  ])
})

test('a write that waits for approval says by whom, from what to what, and until when', () => {
  const [notice] = noticesOf('platform', {
    ...quiet,
    approvals: [
      {
        id: 'w1',
        ...oven,
        modelPath: 'Oven:1/setPoint',
        pathLabel: 'Set point',
        before: 180,
        v: 185,
        unit: '°C',
        by: 'erika',
        expiresAt: 99,
      },
    ],
  })
  expect(notice?.items[0]).toMatchObject({
    to: '/devices/d1',
    title: 'Oven 1 · Set point',
    text: { id: 'overview.askedBy', values: { name: 'erika' } },
    change: { from: 180, to: 185, unit: '°C' },
    until: 99,
  })
})

test('each notice leads to the place where it is dealt with', () => {
  const [failed] = noticesOf('mappings', {
    counts: { ...fleet.counts, configurationFailed: 1 },
    failed: [{ ...oven, error: 'unknown tag' }],
  })
  expect(failed).toMatchObject({ to: '/devices', search: { state: 'error' } })
  expect(failed?.items[0]).toMatchObject({
    to: '/devices/d1',
    search: { tab: 'configuration' },
    said: 'unknown tag',
  })
  const [lost] = noticesOf('platform', {
    ...quiet,
    lost: { total: 1, items: [{ ...oven, at: 5 }] },
  })
  expect(lost?.items[0]).toMatchObject({ search: { tab: 'history', kind: 'connection' }, at: 5 })
  const [requests] = noticesOf('requests', { total: 3 })
  expect(requests).toMatchObject({ total: 3, to: '/permission', search: { requests: 'open' } })
})

test('a source of a gateway that says no reason has none, and two of one device are two', () => {
  const items = [
    { ...oven, source: 'plc', error: null },
    { ...oven, source: 'meter', error: 'no answer' },
  ]
  const [notice] = noticesOf('platform', { ...quiet, sources: { total: 2, items } })
  expect(notice?.items.map(({ key, said }) => [key, said])).toEqual([
    ['d1 plc', undefined],
    ['d1 meter', 'no answer'],
  ])
})

test('an invitation names the organization and the person who invites', () => {
  const [notice] = noticesOf('invitations', [
    { id: 7, organization: { label: 'Acqua' }, invitedBy: 'Luca' },
  ])
  expect(notice?.items).toEqual([
    {
      to: '/account',
      key: '7',
      title: 'Acqua',
      text: { id: 'overview.invitedBy', values: { name: 'Luca' } },
    },
  ])
})

test('nobody is asked for what they may not read', () => {
  const needs = Object.fromEntries(noticeSources.map((one) => [one.id, one.needs]))
  expect(needs).toEqual({
    platform: [['devices:read']],
    mappings: [['devices:read']],
    requests: [['users:create']],
    invitations: [],
  })
})
