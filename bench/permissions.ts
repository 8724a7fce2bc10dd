import { can, canDevice } from '@longreach/authorization/can'
import { compile, type Snapshot } from '@longreach/authorization/compile'
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

/** What a check costs without compiling: the roles as they come from the database, every time. */
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

const line = (what: string, ours = 0, peer?: number): Line => ({
  what,
  unit: 'checks/s',
  ours,
  peers: { 'roles every time': peer },
  better: 'more',
})
print('Permissions of one person with 10 roles of 12 rules', [
  line('a right in the organization', right?.rate, rightNaive?.rate),
  line('a right on one device', device?.rate, deviceNaive?.rate),
  { ...line('compile the roles', compiled?.rate), unit: 'times/s' },
])
