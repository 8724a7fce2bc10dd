import { can, canDevice } from '@longreach/authorization/can'
import { pathReach, reaches } from '@longreach/authorization/can-path'
import { compile, type Snapshot } from '@longreach/authorization/compile'
import { regExpOf } from '@longreach/authorization/model-path'
import {
  type Action,
  actions,
  type Resource,
  resources,
} from '@longreach/authorization/permissions'
import { argument, print, type Line } from './report.ts'

// npm run bench -- permissions [--checks=2000000]
// Checks on a compiled capability, against reading the roles at every check.
const checks = argument('checks', 2_000_000)

/** A person with ten roles of twelve rules, a third of them inside device groups. */
const snapshot: Snapshot = {
  organization: { dataEnabled: true },
  policies: [1, 2, 3, 4],
  roles: Array.from({ length: 10 }, (_, id) => ({
    role: { id, name: `role ${id}` },
    group: { id, name: `group ${id}` },
    organization: 'acme',
    distance: id % 3,
    inherit: id % 2 === 0,
    rules: Array.from({ length: 12 }, (_, n) => {
      const resource: Resource =
        n % 3 ? (resources[(id + n) % resources.length] ?? 'users') : 'devices'
      const deviceGroup = resource === 'devices' && n % 2 ? (id + n) % 8 : null
      return { resource, actions: actions.filter((_, at) => (at + id + n) % 4 === 0), deviceGroup }
    }),
  })),
}

const counting = (rights: ((right: [Resource, Action], round: number) => boolean)[]) =>
  rights.map((check) => {
    const all = resources.flatMap((resource) =>
      actions.map((action): [Resource, Action] => [resource, action]),
    )
    let granted = 0
    const run = (count: number) => {
      for (let round = 0; round < count; round += 1)
        if (check(all[round % all.length] ?? ['users', 'read'], round)) granted += 1
    }
    run(checks / 10)
    const start = performance.now()
    run(checks)
    const rate = checks / ((performance.now() - start) / 1000)
    return { rate, granted }
  })

/** Cost of a check without compiling: the roles as they come from the database, every time. */
const uncompiled = ([resource, action]: [Resource, Action]) =>
  snapshot.roles.some(
    ({ distance, inherit, rules }) =>
      (distance === 0 || inherit) &&
      rules.some((rule) => rule.resource === resource && rule.actions.includes(action)),
  )
const uncompiledDevice = ([, action]: [Resource, Action], round: number) => {
  const groups = [round % 8, (round >> 3) % 8]
  if (!snapshot.policies.some((id) => groups.includes(id))) return false
  return snapshot.roles.some(
    ({ distance, inherit, rules }) =>
      (distance === 0 || inherit) &&
      rules.some(
        (rule) =>
          rule.resource === 'devices' &&
          rule.actions.includes(action) &&
          (rule.deviceGroup === null || groups.includes(rule.deviceGroup)),
      ),
  )
}

const capability = compile(snapshot)
const [right, rightNaive, device, deviceNaive] = counting([
  (asked) => can(capability, ...asked),
  uncompiled,
  ([, action], round) => canDevice(capability, action, [round % 8, (round >> 3) % 8]),
  uncompiledDevice,
])
const [compiled] = counting([() => compile(snapshot).deviceGroups.length > 0])
if (right?.granted !== rightNaive?.granted || device?.granted !== deviceNaive?.granted)
  throw new Error('The two ways of checking do not agree')

/** Forty patterns of one role, and paths of which every second is meant by one of them. */
const patterns = Array.from({ length: 40 }, (_, n) =>
  n % 4 === 0 ? `Press:${n}/**` : `Line:*/cells[*]/unit${n}/${n % 2 ? '*' : 'speed'}`,
)
const paths = Array.from({ length: 64 }, (_, n) =>
  n % 2 ? `Line:2/cells[${n}]/unit${n % 40}/speed` : `Oven:${n}/zones[${n}]/temperature`,
)
const limited = compile({
  ...snapshot,
  policies: [],
  roles: snapshot.roles.slice(0, 1).map((held) => ({
    ...held,
    rules: [{ resource: 'devices', actions: ['read'], deviceGroup: null }],
    paths: patterns.map((path) => ({ path, read: true, history: true, write: false })),
  })),
})
const expressions = patterns.map((pattern) => new RegExp(regExpOf(pattern)))
const reach = pathReach(limited, 'read', [1])
const pathAt = (round: number) => paths[round % paths.length] ?? ''
const [path, pathNaive] = counting([
  (_, round) => reaches(reach, pathAt(round)),
  (_, round) => expressions.some((expression) => expression.test(pathAt(round))),
])
if (path?.granted !== pathNaive?.granted) throw new Error('Trie and expressions do not agree')

const line = (what: string, ours = 0, peer?: number, goal?: string): Line => ({
  what,
  unit: 'checks/s',
  ours,
  peers: { uncompiled: peer },
  better: 'more',
  ...(goal && { goal }),
})
print('Permissions of one person with 10 roles of 12 rules', [
  line('a right in the organization', right?.rate, rightNaive?.rate, '5 M/s'),
  line('a right on one device', device?.rate, deviceNaive?.rate, '5 M/s'),
  line('a model path, 40 patterns', path?.rate, pathNaive?.rate),
  { ...line('compile the roles', compiled?.rate), unit: 'times/s' },
])
