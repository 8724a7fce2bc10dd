import { expect, test } from 'vitest'
import type { Entry } from './audit-calls.ts'
import { pageOf, useAuditText } from './audit-text.ts'
import { spoken } from '../words/spoken-testing.ts'

const { what, who, on, resource, action } = await spoken(useAuditText)
const actor = (more: object) =>
  ({ actor: { kind: 'user', username: '', sub: '', ...more } }) as Entry // the part that is read

test('an entry says what was done with what', () => {
  const entry = { resource: 'devices', action: 'update', call: 'core.nothing_special' }
  expect(what(entry)).toMatch(/^Device: /)
  expect(what({ ...entry, action: 'delete' })).not.toBe(what(entry))
})

test('what has no word yet is shown by its name, in words', () => {
  expect(resource('maintenancePlans')).toBe('maintenance plans')
  expect(action('renewSecret')).toMatch(/secret/)
})

test('a person, a service account, a key and nobody are told apart', () => {
  expect(who(actor({ username: 'anna' }))).toBe('anna')
  expect(who(actor({ username: 'service-account-user-service-erp' }))).toMatch(/erp$/)
  expect(who(actor({ username: 'service-account-user-service-erp' }))).not.toBe('erp')
  expect(who(actor({ kind: 'apiKey', username: 'anna', apiKey: 7 }))).toBe('API key 7 of anna')
  expect(who(actor({ kind: 'apiKey', username: 'anna' }))).toBe('API key ? of anna')
  expect(who(actor({ kind: 'nobody' }))).toBe('Not signed in')
})

test('a thing is told by its label, else by its id', () => {
  expect(on({ label: 'Oven 1', target: 'd1' })).toBe('Oven 1')
  expect(on({ label: '', target: 'd1' })).toBe('d1')
})

test.each([
  ['alarms', 'alarms.createRule', 'Alarm rule: created'],
  ['alarms', 'alarms.setOverride', 'Alarm rule on one device: created'],
  ['alarms', 'alarms.liftShelf', 'Shelf: created'],
  ['alarms', 'alarms.acknowledge', 'Alarm: created'],
  ['notifications', 'notifications.createSchedule', 'On-call schedule: created'],
  ['notifications', 'notifications.replaceEscalation', 'Escalation: created'],
  ['notifications', 'notifications.createChannel', 'Notification channel: created'],
  ['notifications', 'notifications.createNotification', 'Notification rule: created'],
  ['notifications', 'notifications.addPush', 'Browser for messages: created'],
  ['triggers', 'triggers.createTrigger', 'Trigger: created'],
])('of %s, %s is said as %j', (named, call, text) =>
  expect(what({ resource: named, action: 'create', call })).toBe(text),
)

const id = '0f5b1c7e-64a7-4c1c-9d4e-6a5c1f7b2d10'
const admin = '/admin/notifications'
test.each([
  ['devices', 'core.updateDevice', 'update', 'oven-1', { to: '/devices/oven-1' }],
  ['devices', 'core.updateDevice', 'delete', 'oven-1', undefined],
  ['devices', 'core.updateDevice', 'update', '', undefined],
  ['devices', 'core.updateDevice', 'update', '../roles', undefined],
  ['roles', 'core.updateRole', 'update', '5', undefined],
  ['alarms', 'alarms.acknowledge', 'ack', id, undefined],
  ['alarms', 'alarms.createRule', 'create', id, { to: `/alarms/rules/${id}` }],
  ['alarms', 'alarms.deleteOverride', 'update', id, { to: `/alarms/rules/${id}` }],
  ['alarms', 'alarms.changeShelf', 'update', id, { to: '/alarms/shelved', search: { shelf: id } }],
  ['notifications', 'notifications.createNotification', 'create', id, { to: admin, search: {} }],
  [
    'notifications',
    'notifications.setNote',
    'update',
    id,
    { to: admin, search: { tab: 'on-call', schedule: id } },
  ],
  ['triggers', 'triggers.createTrigger', 'create', id, { to: `/trigger/${id}` }],
] as const)('the page of %s (%s) after %s of %j is %j', (...[named, call, done, target, found]) =>
  expect(pageOf({ resource: named, action: done, target, call } as Entry)).toEqual(found),
)
