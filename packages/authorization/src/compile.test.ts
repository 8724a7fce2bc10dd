import fc from 'fast-check'
import { expect, test } from 'vitest'
import { can, canDevice, canVpn, filter } from './can.ts'
import { canPath } from './can-path.ts'
import { actionOf, type PathRight, pathRights } from './capability.ts'
import { compile, compileBelow, compileRole, type HeldRole, type Snapshot } from './compile.ts'
import { covers } from './covers.ts'
import { inGroupsSql } from './device-visibility.ts'
import { explain } from './explain.ts'
import { type Action, actions, type Resource, resources } from './permissions.ts'
import { permissionsOf, toPermissions } from './to-permissions.ts'

const groupIds = [1, 2, 3, 4]
const anyGroups = fc.subarray(groupIds)
const anyRule = fc
  .record({
    resource: fc.constantFrom<Resource>('devices', 'devices', 'vpn', ...resources),
    actions: fc.subarray([...actions]),
    deviceGroup: fc.option(fc.constantFrom(...groupIds)),
    vpnName: fc.option(fc.constantFrom('press', 'oven')),
  })
  .map((rule) => (rule.resource === 'devices' ? rule : { ...rule, deviceGroup: null }))
  .map((rule) => (rule.resource === 'vpn' ? rule : { ...rule, vpnName: null }))
const anyPattern = fc
  .array(fc.constantFrom('a', 'b', 'z[0]', 'z[*]', '*', '**'), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'))
const anyPath = fc
  .array(fc.constantFrom('a', 'b', 'z[0]', 'z[1]'), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'))
const anyRolePath = fc.record({
  path: anyPattern,
  read: fc.boolean(),
  history: fc.boolean(),
  write: fc.boolean(),
})
const anyPathRight = fc.constantFrom(...pathRights)
const anyRole: fc.Arbitrary<HeldRole> = fc.record({
  role: fc.record({ id: fc.nat(9), name: fc.constant('role') }),
  group: fc.record({ id: fc.nat(9), name: fc.constant('group') }),
  organization: fc.constantFrom('a', 'a.b', 'a.b.c'),
  distance: fc.nat(2),
  inherit: fc.boolean(),
  rules: fc.array(anyRule, { maxLength: 4 }),
  paths: fc.oneof(fc.constant([]), fc.array(anyRolePath, { maxLength: 3 })),
})
const anySnapshot: fc.Arbitrary<Snapshot> = fc.record({
  organization: fc.record({ dataEnabled: fc.boolean() }),
  roles: fc.array(anyRole, { maxLength: 5 }),
  policies: anyGroups,
})
const anyRight = fc.tuple(fc.constantFrom(...resources), fc.constantFrom(...actions))

const runs = { numRuns: 2_000 }
const holds = <T>(property: fc.IProperty<T>) => fc.assert(property, runs)

type Question = {
  device?: readonly number[]
  path?: string
  right?: PathRight
  vpnName?: string
}

/** Reference implementation of the permission model, written directly from its description. */
function oracle(
  { organization, roles, policies }: Snapshot,
  [resource, action]: readonly [Resource, Action],
  { device, path, right, vpnName }: Question = {},
) {
  for (const lost of ['models', 'dashboards', 'notifications', 'alarms']) {
    if (resource === lost && !organization.dataEnabled) return false
  }
  if (device && policies.length > 0 && !policies.some((id) => device.includes(id))) return false
  return roles.some(({ distance, inherit, rules, paths = [] }) => {
    if (distance > 0 && !inherit) return false
    return rules.some((rule) => {
      if (rule.resource !== resource || !rule.actions.includes(action)) return false
      if (isElsewhere(rule.deviceGroup, device) || isElsewhere(rule.vpnName, vpnName)) return false
      const limited = resource === 'devices' && paths.length > 0
      if (!limited || !device || !['read', 'update'].includes(action)) return true
      // A role with paths makes the device visible, changes nothing on it, and grants those paths.
      if (path === undefined || right === undefined) return action === 'read'
      return paths.some((one) => one[right] && matches(one.path.split('/'), path.split('/')))
    })
  })
}

/** True when the rule is limited to other groups or names than the one in question. */
const isElsewhere = <T>(limit: T | null | undefined, asked: T | readonly T[] | undefined) =>
  limit !== null && limit !== undefined && asked !== undefined && ![asked].flat().includes(limit)

/** Reference implementation of patterns: `*` one segment, `**` any number, `[*]` every index. */
function matches([first, ...rest]: string[], path: string[]): boolean {
  if (first === undefined) return path.length === 0
  if (first === '**')
    return path.some((_, at) => matches(rest, path.slice(at))) || matches(rest, [])
  const [segment, ...more] = path
  if (segment === undefined) return false
  const same = first === '*' || first === segment || first === segment.replace(/\d+/, '*')
  return same && matches(rest, more)
}

const onPath = (snapshot: Snapshot, right: PathRight, device: readonly number[], path: string) =>
  oracle(snapshot, ['devices', actionOf(right)], { device, path, right })
const implies = (one: boolean, other: boolean) => !one || other

test('every right is what the prose says [A-01] [E-22]', () => {
  holds(
    fc.property(anySnapshot, anyRight, (snapshot, right) => {
      expect(can(compile(snapshot), ...right)).toBe(oracle(snapshot, right))
    }),
  )
})

test('every right on one device is what the prose says [A-01]', () => {
  const anyAction = fc.constantFrom(...actions)
  holds(
    fc.property(anySnapshot, anyAction, anyGroups, (snapshot, action, groups) => {
      const expected = oracle(snapshot, ['devices', action], { device: groups })
      expect(canDevice(compile(snapshot), action, groups)).toBe(expected)
    }),
  )
})

test('every right on one path is what the prose says [A-03 in part]', () => {
  holds(
    fc.property(anySnapshot, anyPathRight, anyGroups, anyPath, (snapshot, right, device, path) => {
      const expected = onPath(snapshot, right, device, path)
      expect(canPath(compile(snapshot), right, device, path)).toBe(expected)
    }),
  )
})

test('every right on one VPN name is what the prose says [A-04]', () => {
  const anyName = fc.constantFrom('press', 'oven', 'other')
  const anyAction = fc.constantFrom(...actions)
  holds(
    fc.property(anySnapshot, anyAction, anyName, (snapshot, action, vpnName) => {
      const expected = oracle(snapshot, ['vpn', action], { vpnName })
      expect(canVpn(compile(snapshot), action, vpnName)).toBe(expected)
    }),
  )
})

test('filter, the list of scopes and the WHERE fragment agree with single checks', () => {
  const anyDevices = fc.array(anyGroups.map((groups) => ({ groups })))
  const anyAction = fc.constantFrom(...actions)
  holds(
    fc.property(anySnapshot, anyAction, anyDevices, (snapshot, action, devices) => {
      const capability = compile(snapshot)
      const one = devices.filter(({ groups }) => canDevice(capability, action, groups))
      expect(filter(capability, action, devices)).toEqual(one)
      const { strings, values } = inGroupsSql(capability, action, ['groups && ', ''])
      const lists = strings[0] === 'false' ? undefined : (values as number[][])
      const overlap = ({ groups }: { groups: number[] }) =>
        lists !== undefined && lists.every((list) => list.some((id) => groups.includes(id)))
      expect(devices.filter(overlap)).toEqual(one)
      const all = resources.flatMap((resource) =>
        actions
          .filter((name) => can(capability, resource, name))
          .map((name) => `${resource}:${name}`),
      )
      expect(permissionsOf(capability)).toEqual(all)
    }),
  )
})

test('what reaches down is what an organization below gets, and never more than here [A-05]', () => {
  holds(
    fc.property(anySnapshot, anyRight, anyGroups, (snapshot, right, groups) => {
      const roles = snapshot.roles.map((held) => ({ ...held, distance: held.distance + 1 }))
      const child = compile({ ...snapshot, roles })
      const reaching = compileBelow(snapshot)
      expect(reaching !== undefined && can(reaching, ...right)).toBe(can(child, ...right))
      expect(implies(can(child, ...right), can(compile(snapshot), ...right))).toBe(true)
      expect(
        implies(canDevice(child, right[1], groups), canDevice(compile(snapshot), right[1], groups)),
      ).toBe(true)
    }),
  )
})

test('one more role never takes a right away, on a path neither [A-03 in part]', () => {
  const where = fc.tuple(anyGroups, anyPath, anyPathRight)
  holds(
    fc.property(anySnapshot, anyRole, anyRight, where, (snapshot, extra, right, on) => {
      const [groups, path, pathRight] = on
      const more = compile({ ...snapshot, roles: [...snapshot.roles, extra] })
      const less = compile(snapshot)
      expect(implies(can(less, ...right), can(more, ...right))).toBe(true)
      expect(implies(canDevice(less, right[1], groups), canDevice(more, right[1], groups))).toBe(
        true,
      )
      const before = canPath(less, pathRight, groups, path)
      expect(implies(before, canPath(more, pathRight, groups, path))).toBe(true)
    }),
  )
})

test('policies never add a device or a path', () => {
  const where = fc.tuple(anyGroups, anyPath, anyPathRight)
  holds(
    fc.property(anySnapshot, anyRight, where, (snapshot, [, action], [groups, path, right]) => {
      const free = compile({ ...snapshot, policies: [] })
      const before = canPath(compile(snapshot), right, groups, path)
      expect(implies(before, canPath(free, right, groups, path))).toBe(true)
      expect(
        implies(canDevice(compile(snapshot), action, groups), canDevice(free, action, groups)),
      ).toBe(true)
    }),
  )
})

test('the order and repetition of roles and policies do not matter, and plain data goes round', () => {
  holds(
    fc.property(anySnapshot, (snapshot) => {
      const again = {
        ...snapshot,
        roles: [...snapshot.roles, ...snapshot.roles].toReversed(),
        policies: [...snapshot.policies, ...snapshot.policies].toReversed(),
      }
      const capability = compile(snapshot)
      expect(compile(again)).toEqual(capability)
      expect(JSON.parse(JSON.stringify(capability))).toEqual(capability)
    }),
  )
})

test('an explanation agrees with the check and names every way', () => {
  const where = fc.tuple(anyGroups, anyPath, anyPathRight)
  holds(
    fc.property(anySnapshot, anyRight, where, (snapshot, right, [groups, path, pathRight]) => {
      const capability = compile(snapshot)
      expect(explain(snapshot, ...right).allowed).toBe(can(capability, ...right))
      const about = { groupsOfDevice: groups }
      const device = explain(snapshot, 'devices', right[1], about)
      expect(device.allowed).toBe(canDevice(capability, right[1], groups))
      expect(device.reasons.length === 0 && device.blocked !== undefined).toBe(false)
      const asked = { ...about, path, right: pathRight }
      const onOne = explain(snapshot, 'devices', actionOf(pathRight), asked)
      expect(onOne.allowed).toBe(canPath(capability, pathRight, groups, path))
      const vpn = explain(snapshot, 'vpn', right[1], { vpnName: 'press' })
      expect(vpn.allowed).toBe(canVpn(capability, right[1], 'press'))
    }),
  )
})

test('who covers a grant has every right of it, on every device and path [A-03 in part]', () => {
  const anyGrant = fc.record({
    rules: fc.array(anyRule, { maxLength: 2 }),
    paths: fc.array(anyRolePath, { maxLength: 2 }),
  })
  const where = fc.tuple(anyGroups, anyPath, anyPathRight)
  holds(
    fc.property(anySnapshot, anyGrant, anyRight, where, (snapshot, grant, right, on) => {
      const [groups, path, pathRight] = on
      const holder = compile(snapshot)
      const granted = compileRole(grant)
      fc.pre(covers(holder, granted))
      expect(implies(can(granted, ...right), can(holder, ...right))).toBe(true)
      expect(
        implies(canDevice(granted, right[1], groups), canDevice(holder, right[1], groups)),
      ).toBe(true)
      const given = canPath(granted, pathRight, groups, path)
      expect(implies(given, canPath(holder, pathRight, groups, path))).toBe(true)
    }),
  )
})

test('a role covers itself', () => {
  holds(
    fc.property(anyRole, ({ rules, paths }) => {
      const granted = compileRole({ rules, ...(paths && { paths }) })
      expect(covers(granted, granted)).toBe(true)
    }),
  )
})

const withRules = (...rules: HeldRole['rules']): Snapshot => ({
  organization: { dataEnabled: true },
  roles: [
    {
      role: { id: 1, name: 'r' },
      group: { id: 2, name: 'g' },
      organization: 'a',
      distance: 0,
      inherit: false,
      rules,
    },
  ],
  policies: [],
})

test('a resource, an action or a limit that does not exist stops the compilation', () => {
  const rule = { resource: 'devices', actions: ['read'], deviceGroup: null }
  expect(() => compile(withRules({ ...rule, resource: 'machines' }))).toThrow('machines')
  expect(() => compile(withRules({ ...rule, actions: ['fly'] }))).toThrow('fly')
  expect(() => compile(withRules({ ...rule, resource: 'users', deviceGroup: 1 }))).toThrow('users')
  expect(() => compile(withRules({ ...rule, vpnName: 'press' }))).toThrow('VPN')
})

test('scopes are spelled as public clients read them [A-01]', () => {
  const rule = { resource: 'devices', actions: ['update', 'read'], deviceGroup: 4 }
  expect(toPermissions(compile(withRules(rule)))).toEqual([
    'iam.devices.read',
    'iam.devices.update',
  ])
})

test('a WHERE fragment names its column and counts its parameters', () => {
  const rule = { resource: 'devices', actions: ['read'], deviceGroup: 4 }
  const capability = compile({ ...withRules(rule), policies: [7, 5] })
  const column = ['d.groups && ', '::int[]'] as const
  expect(inGroupsSql(capability, 'read', column)).toEqual({
    strings: ['(d.groups && ', '::int[] and d.groups && ', '::int[])'],
    values: [[5, 7], [4]],
  })
  expect(inGroupsSql(capability, 'delete', column).strings).toEqual(['false'])
  const everything = compile(withRules({ ...rule, deviceGroup: null }))
  expect(inGroupsSql(everything, 'read', column)).toEqual({ strings: ['true'], values: [] })
})

test('an explanation says what blocks', () => {
  const rule = { resource: 'alarms', actions: ['read'], deviceGroup: null }
  const withoutIot = { ...withRules(rule), organization: { dataEnabled: false } }
  expect(explain(withoutIot, 'alarms', 'read')).toMatchObject({
    allowed: false,
    blocked: 'iot-disabled',
  })
  const devices = { resource: 'devices', actions: ['read'], deviceGroup: null }
  const restricted = { ...withRules(devices), policies: [9] }
  expect(explain(restricted, 'devices', 'read', { groupsOfDevice: [1] })).toMatchObject({
    allowed: false,
    blocked: 'policies',
  })
  expect(explain(withRules(devices), 'devices', 'read').reasons).toEqual([
    {
      role: { id: 1, name: 'r' },
      group: { id: 2, name: 'g' },
      organization: 'a',
      inherited: false,
      deviceGroup: null,
      vpnName: null,
      paths: null,
    },
  ])
})
