import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, refusedWith } from '../../parts/api/calls-testing.ts'
import type { Entry } from './draft-rules.ts'
import { saveDraft } from './save-draft.ts'

afterEach(() => vi.unstubAllGlobals())

const where = { org: 'nordwerk', policy: '5' }
const base = '/svc/core/api/v1/organizations/nordwerk'
const entry = (kind: Entry['kind'], id: string, more: Partial<Entry> = {}): Entry => ({
  kind,
  id,
  label: id,
  ...more,
})
const rule = (resource: string, deviceGroup: number | null) => ({
  resource,
  actions: ['read'],
  deviceGroup,
  vpnName: null,
})
const role = (rules: ReturnType<typeof rule>[]) => ({
  id: 8,
  name: 'operators',
  label: 'Operators',
  description: '',
  type: 'APPLICATION',
  owner: 'ORGANIZATION',
  owners: ['ORGANIZATION'],
  ownerRef: null,
  enabled: true,
  deleted: false,
  createdAt: 0,
  updatedAt: 0,
  organizationId: 1,
  orgResourceId: 'nordwerk',
  defaultStar: false,
  deviceGeneralPermission: 'NONE',
  vpnGeneralPermission: 'NONE',
  enableAccessToApp: true,
  applicationPermissions: [],
  devicePermissions: [],
  inherit: false,
  rules,
  modelPathPermissions: [],
})

test('devices that come and go are one call', async () => {
  const asked = answerCalls({ [`PUT ${base}/securityPolicies/5/devices`]: () => undefined })
  const draft = {
    put: [entry('device', 'oven'), entry('device', 'press')],
    out: [entry('device', 'fan')],
  }
  expect(await saveDraft(where, draft)).toEqual([])
  expect(asked.map(({ body }) => body)).toEqual([{ add: ['oven', 'press'], remove: ['fan'] }])
})

test('people and groups of people are put in and taken out one after the other', async () => {
  const asked = answerCalls({
    [`POST ${base}/users/1/securityPolicies/5`]: () => undefined,
    [`DELETE ${base}/userGroups/2/securityPolicies/5`]: () => undefined,
    [`POST ${base}/userGroups/3/securityPolicies/5`]: () => undefined,
    [`DELETE ${base}/users/4/securityPolicies/5`]: () => undefined,
  })
  const draft = {
    put: [entry('person', '1'), entry('userGroup', '3')],
    out: [entry('userGroup', '2'), entry('person', '4')],
  }
  expect(await saveDraft(where, draft)).toEqual([])
  expect(asked.map(({ call }) => call.split(' ')[0])).toEqual(['POST', 'POST', 'DELETE', 'DELETE'])
})

test('of a role only the rule for this group changes', async () => {
  const rules = [rule('users', null), rule('devices', 5), rule('devices', 6), rule('devices', null)]
  const asked = answerCalls({
    [`GET ${base}/roles/8`]: () => role(rules),
    [`PUT ${base}/roles/8`]: () => role(rules),
  })
  await saveDraft(where, { put: [entry('role', '8', { actions: ['read', 'update'] })], out: [] })
  const others = [rule('users', null), rule('devices', 6), rule('devices', null)]
  expect(asked.at(-1)?.body).toEqual({
    rules: [...others, { resource: 'devices', actions: ['read', 'update'], deviceGroup: 5 }],
  })
  await saveDraft(where, { put: [], out: [entry('role', '8', { actions: ['read'] })] })
  expect(asked.at(-1)?.body).toEqual({ rules: others })
})

test('a change that fails comes back with its error, the others are made all the same', async () => {
  const asked = answerCalls({
    [`PUT ${base}/securityPolicies/5/devices`]: () => refusedWith(409, 'core.device_moved'),
    [`POST ${base}/users/1/securityPolicies/5`]: () => undefined,
  })
  const devices = [entry('device', 'oven'), entry('device', 'press')]
  const faults = await saveDraft(where, { put: [...devices, entry('person', '1')], out: [] })
  expect(faults.map(({ entry: { id }, error }) => [id, (error as { code: string }).code])).toEqual([
    ['oven', 'core.device_moved'],
    ['press', 'core.device_moved'],
  ])
  expect(asked).toHaveLength(2)
})

test('a draft without a change asks nothing', async () => {
  const asked = answerCalls({})
  expect(await saveDraft(where, { put: [], out: [] })).toEqual([])
  expect(asked).toEqual([])
})
