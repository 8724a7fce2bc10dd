import { expect, test } from 'vitest'
import {
  attributesInSight,
  canAlarmInSight,
  everyAlarmSql,
  seesEveryAlarm,
} from './alarm-visibility.ts'
import { bitOf, type Capability } from './capability.ts'

const read = bitOf('read')
const alarms = { alarms: read }
/** Right to read and look back at paths of devices in group 3. */
const some = (more: { read?: string[]; history?: string[] }): Capability => ({
  grants: alarms,
  deviceGroups: [],
  paths: [{ mask: read, groups: [3], read: [], history: [], write: [], ...more }],
})
const everything: Capability = { grants: { ...alarms, devices: read }, deviceGroups: [] }
const heat = some({ read: ['Oven:*/heat'] })

type Case = [
  title: string,
  capability: Capability,
  alarm: Partial<Parameters<typeof canAlarmInSight>[1]>,
  seen: boolean,
]
const cases: Case[] = [
  ['of every path with all rights', everything, { paths: ['Oven:1/speed'] }, true],
  ['of the device itself with all rights', everything, { paths: null }, true],
  ['without the right to read alarms', { ...everything, grants: { devices: read } }, {}, false],
  ['without a right on the device', { grants: alarms, deviceGroups: [] }, {}, false],
  ['of a path that one may read', heat, { paths: ['Oven:1/heat'] }, true],
  ['of a path that one may look back at', some({ history: ['**'] }), { paths: ['Oven:1/x'] }, true],
  ['of another path', heat, { paths: ['Oven:1/speed'] }, false],
  ['of two paths of which one may read one', heat, { paths: ['Oven:1/heat', 'Oven:1/x'] }, false],
  ['of a rule that judges no path', heat, { paths: [] }, true],
  ['of the device itself with rights on paths', heat, { paths: null }, false],
  ['in a group where one has no right', heat, { paths: ['Oven:1/heat'], groups: [4] }, false],
  ['of an organization beside', everything, { org: 'nordwerk.press' }, false],
  [
    'of an organization below, without a right that reaches there',
    everything,
    { org: 'nordwerk.service.north' },
    false,
  ],
]

test.each(cases)('an alarm %s is seen or not (attack 60)', (_, capability, alarm, seen) => {
  const admission = { organization: { resourceId: 'nordwerk.service' }, capability, below: false }
  const asked = { org: 'nordwerk.service', groups: [3], paths: ['Oven:1/heat'], ...alarm }
  expect(canAlarmInSight(admission, asked)).toBe(seen)
})

test('below, the rights that reach down count, and nothing behind a closed door', () => {
  const admission = {
    organization: { resourceId: 'nordwerk' },
    capability: everything,
    capabilityBelow: heat,
    below: true,
    closed: ['nordwerk.press'],
  }
  const sees = (org: string, path: string) =>
    canAlarmInSight(admission, { org, groups: [3], paths: [path] })
  expect([sees('nordwerk', 'Oven:1/speed'), sees('nordwerk.service', 'Oven:1/speed')]).toEqual([
    true,
    false,
  ])
  expect([sees('nordwerk.service', 'Oven:1/heat'), sees('nordwerk.press', 'Oven:1/heat')]).toEqual([
    true,
    false,
  ])
})

const line: Capability = { grants: alarms, deviceGroups: [{ mask: read, groups: [3] }] }
const every: [title: string, capability: Capability, groups: number[], all: boolean][] = [
  ['with all rights', everything, [], true],
  ['without the right to read alarms', { ...everything, grants: { devices: read } }, [3], false],
  ['in a group with all paths', line, [3], true],
  ['in another group', line, [4], false],
  ['with rights on some paths', heat, [3], false],
  ['with rights on some paths beside those of the group', { ...heat, ...line }, [3], true],
  ['in a group of the security policies', { ...everything, policies: [3] }, [3], true],
  ['outside of the security policies', { ...everything, policies: [3] }, [4], false],
]

test.each(every)(
  'every alarm of a device %s is seen or not [A-03]',
  (_, capability, groups, all) => {
    expect(seesEveryAlarm(capability, groups)).toBe(all)
    const open = { alarms: { n_active_6: 1 }, alarms_max_severity: 6 }
    const attributes = { site: 'Kassel', ...open }
    const shown = attributesInSight(capability, { groups, attributes })
    expect(shown).toEqual(all ? attributes : { site: 'Kassel' })
    // Each value of the condition is a list of groups, of which the device must be in one.
    const { strings, values } = everyAlarmSql(capability, ['in(', ')'])
    const meets = (values as number[][]).every((list) => list.some((id) => groups.includes(id)))
    expect(meets && strings.join('') !== 'false').toBe(all)
  },
)
