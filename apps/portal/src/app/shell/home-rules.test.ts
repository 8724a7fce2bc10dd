import type { Permission } from '@longreach/authorization/permissions'
import { expect, test } from 'vitest'
import {
  holdsRole,
  inPlace,
  mayEnter,
  permissionsIn,
  resourceRolesIn,
} from '../../parts/access/access-rules.ts'
import { sections } from '../../sections.ts'
import { homePath } from './home-rules.ts'

const both = { dataEnabled: true, vpnEnabled: true }
const rights = (permissions: Permission[], organization = both) => ({
  permissions: new Set<Permission>(['portal:access', ...permissions]),
  organization,
})
const section = (id: string, needs: Permission[][] = [], feature?: 'iot' | 'vpn') => ({
  id,
  path: `/${id}` as const,
  permissions: needs,
  ...(feature && { feature }),
})
const all = [
  { ...section('notifications', [['notifications:read']], 'iot'), home: 130 },
  { ...section('alarms', [['devices:read']], 'iot'), home: 60 },
  { ...section('vpn-devices', [['devices:read']], 'vpn'), homeForRemoteAccess: true as const },
  { ...section('devices', [['devices:read']]), home: 20 },
  { ...section('dashboards', [['models:read'], ['dashboards:read']], 'iot'), home: 10 },
  { ...section('organizations', [['organizations:read']]), home: 70 },
]

test.for<[string, Permission[], { dataEnabled: boolean; vpnEnabled: boolean }, string]>([
  ['dashboards first', ['models:read', 'dashboards:read', 'devices:read'], both, '/dashboards'],
  ['devices without dashboards', ['devices:read'], both, '/devices'],
  [
    'remote access first without IoT',
    ['devices:read'],
    { dataEnabled: false, vpnEnabled: true },
    '/vpn-devices',
  ],
  [
    'devices with neither feature',
    ['devices:read'],
    { dataEnabled: false, vpnEnabled: false },
    '/devices',
  ],
  ['organizations after alarms', ['organizations:read'], both, '/organizations'],
  ['direct access at last', [], both, '/directaccess'],
])('home is %s [R-01]', ([, permissions, organization, path]) => {
  expect(homePath(all, rights(permissions, organization))).toBe(path)
})

test('all groups must pass, and within a group any permission suffices [R-25]', () => {
  const guarded = section('x', [['roles:read', 'users:read'], ['devices:read']])
  expect(mayEnter(guarded, rights(['users:read', 'devices:read']))).toBe(true)
  expect(mayEnter(guarded, rights(['users:read', 'roles:read']))).toBe(false)
  expect(mayEnter(guarded, rights(['devices:read']))).toBe(false)
})

test('nothing opens without portal access [R-25]', () => {
  const permissions = new Set<Permission>(['devices:read'])
  expect(
    mayEnter(section('devices', [['devices:read']]), { permissions, organization: both }),
  ).toBe(false)
})

test('a non-IoT organization loses models, dashboards, notifications and alarms [T-05]', () => {
  const granted: Permission[] = [
    'models:read',
    'dashboards:update',
    'notifications:read',
    'alarms:ack',
    'devices:read',
  ]
  expect([...inPlace(granted, { dataEnabled: false, vpnEnabled: true })]).toEqual(['devices:read'])
  expect(inPlace(granted, both).size).toBe(5)
})

test('the token tells the permissions of its organization', () => {
  const claims = {
    authorization: {
      permissions: [
        { rsname: 'nordwerk', scopes: ['iam.devices.read', 'iam.portal.access', 'iam.unheard.of'] },
        { rsname: 'acqua', scopes: ['iam.users.delete'] },
      ],
    },
  }
  expect(permissionsIn(claims, 'nordwerk')).toEqual(['devices:read', 'portal:access'])
})

test.for([
  undefined,
  null,
  'text',
  {},
  { authorization: null },
  { authorization: { permissions: 'x' } },
  { authorization: { permissions: [null, { rsname: 'a' }] } },
])('a malformed token holds no permission: %o [X-03]', (claims) =>
  expect(permissionsIn(claims, 'a')).toEqual([]),
)

/** Paths of the sections in the specification; people have `/users` too, which redirects to it. */
const specified: Record<string, string> = {
  walkthrough: '/walkthrough',
  devices: '/devices',
  'device-map': '/devicemap',
  'data-explore': '/data-explore',
  log: '/log',
  organizations: '/organizations',
  permission: '/permission',
  roles: '/roles',
  trigger: '/trigger',
}

test('the sections of this portal stand at the specified paths [R-26 in part]', () => {
  const paths = sections.map((one) => [one.id, one.path])
  expect(Object.fromEntries(paths)).toMatchObject(specified)
})

test('of the sections of this portal, home is the first in the specified order [R-01] [R-26 in part]', () => {
  const order = [
    'devices devices:read',
    'device-map devices:read models:read',
    'data-explore devices:read models:read',
    'organizations organizations:read',
    'permission users:read',
    'roles roles:read',
    'walkthrough models:read devices:create',
  ]
  for (const line of order) {
    const [id = '', ...permissions] = line.split(' ')
    // Without what comes before it in the order.
    const before = order.slice(0, order.indexOf(line)).map((one) => one.split(' ')[0])
    const rest = sections.filter((one) => !before.includes(one.id))
    expect(homePath(rest, rights(permissions as Permission[]))).toBe(specified[id])
  }
  expect(homePath(sections, rights([]))).toBe('/directaccess')
})

test('a page that asks for a role of the token is kept for those who hold it [R-25]', () => {
  const guarded = { ...section('x'), resourceRole: 'designer' }
  const roles = resourceRolesIn({
    resource_access: { portal: { roles: ['designer', 7] }, broken: null, other: { roles: 'x' } },
  })
  expect([...roles]).toEqual(['designer'])
  expect(holdsRole(guarded, { ...rights([]), resourceRoles: roles })).toBe(true)
  expect(holdsRole(guarded, rights([]))).toBe(false)
  expect(holdsRole(section('x'), rights([]))).toBe(true)
  for (const broken of [undefined, null, 'x', {}, { resource_access: 7 }]) {
    expect(resourceRolesIn(broken).size).toBe(0)
  }
})

test('who chose the overview begins there, if they may open it; nobody else does [R-01]', () => {
  const held = rights(['devices:read'])
  expect(homePath(sections, held, 'OVERVIEW')).toBe('/overview')
  expect(homePath(sections, held, 'HOME')).toBe('/devices')
  expect(homePath(sections, held)).toBe('/devices')
  expect(homePath(sections, rights(['models:read']), 'OVERVIEW')).not.toBe('/overview')
})
