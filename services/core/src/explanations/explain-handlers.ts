import { can, canDevice, canVpn } from '@longreach/authorization/can'
import { canPath } from '@longreach/authorization/can-path'
import { actionOf, type Capability } from '@longreach/authorization/capability'
import { compile, compileBelow, compileRole } from '@longreach/authorization/compile'
import { actions, type Action, resources } from '@longreach/authorization/permissions'
import { permissionsOf } from '@longreach/authorization/to-permissions'
import { toContentPage } from '@longreach/kit/contract'
import { isAmong } from '@longreach/kit/network-of'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { requireRole } from '../roles/role-changing.ts'
import { deviceInSight } from './device-in-sight.ts'
import type { Blocked, explainEndpoints } from './explain-contract.ts'
import {
  explainAccess,
  effectiveSnapshot,
  reasonsOf,
  toPerson,
  type Subject,
} from './explain-rules.ts'
import { pathsOn } from './paths-on-device.ts'
import { namesOfPolicies, policiesHeld, rolesHeld } from './held-store.ts'
import { requirePerson } from './person-asked.ts'
import {
  groupsWithRole,
  type PersonRow,
  peopleOnDevice,
  peopleWithRole,
  peopleWithRoleBelow,
} from './people-store.ts'

type ExplainHandlers = Pick<Handlers<typeof coreContract>, keyof typeof explainEndpoints>
type Db = CoreDeps['db']

export const explainHandlers = (deps: CoreDeps): ExplainHandlers => ({
  ...aboutPeople(deps),
  ...aboutThings(deps),
})

const aboutPeople = ({ db, clients }: CoreDeps) =>
  ({
    explain: async ({ query }, ctx) => {
      const { resource, action, deviceId, path, endpoint, user } = query
      const right = path === undefined ? undefined : (query.right ?? rightFor(action))
      const device = deviceId === undefined ? undefined : await deviceInSight(db, ctx, deviceId)
      const place = device?.organization ?? ctx.organization
      const person = await requirePerson(db, ctx, user, place.id)
      const subject = await subjectOf(db, place, person)
      const asked = { groupsOfDevice: device?.groups, path, right, vpnName: endpoint }
      const found = explainAccess(subject, { resource, action, asked })
      const question = { resource, action, asked }
      const secondFactor = query.secondFactor ?? (await hasFactor(clients, ctx, person))
      const asIf = { user, address: query.address, secondFactor }
      const blocked = found.blocked ?? (found.allowed ? besides(ctx, asIf, question) : undefined)
      return {
        allowed: found.allowed && blocked === undefined,
        reasons: reasonsOf(subject, found, await groupNames(db, [subject])),
        ...(blocked && { blocked }),
        user: toPerson(person),
        organization: place.resourceId,
        resource,
        action,
        conditions: conditionsOf(ctx.organization),
      }
    },

    userAccess: async ({ params: { user } }, ctx) => {
      const { organization } = ctx
      const person = await requirePerson(db, ctx, user === 'me' ? undefined : user, organization.id)
      const subject = await subjectOf(db, organization, person)
      const names = await groupNames(db, [subject])
      const below = compileBelow(effectiveSnapshot(subject))
      const rights = resources.flatMap((resource) =>
        actions.flatMap((action) => {
          const found = explainAccess(subject, { resource, action })
          if (found.reasons.length === 0) return []
          const { allowed, blocked } = found
          const reasons = reasonsOf(subject, found, names)
          const reachesDown = allowed && below !== undefined && can(below, resource, action)
          const row = { resource, action, allowed, reasons, below: reachesDown }
          return [{ ...row, ...(blocked && { blocked }) }]
        }),
      )
      return {
        user: toPerson(person),
        organization: organization.resourceId,
        member: person.member,
        policies: subject.policies.map(({ id, name }) => ({ id, name })),
        conditions: conditionsOf(organization),
        rights,
      }
    },
  }) satisfies Partial<ExplainHandlers>

const aboutThings = ({ db }: CoreDeps) =>
  ({
    deviceAccess: async ({ params: { device: deviceId }, query }, ctx) => {
      const { organization, groups } = await deviceInSight(db, ctx, deviceId)
      const asked = { ...query, organizationId: organization.id, groups }
      const { rows, total } = await peopleOnDevice(db, asked)
      const subjects = await subjectsOf(db, organization, rows)
      const names = await groupNames(db, subjects)
      const content = subjects.map((subject) => {
        const capability = compile(effectiveSnapshot(subject))
        const may = actions.filter((action) => canDevice(capability, action, groups))
        const reasons = actions.flatMap((action) => {
          const asked = { groupsOfDevice: groups }
          const question = { resource: 'devices' as const, action, asked }
          return reasonsOf(subject, explainAccess(subject, question), names)
        })
        return {
          user: toPerson(subject.person),
          actions: may,
          paths: pathsOn(capability, groups),
          reasons: once(reasons),
        }
      })
      return toContentPage(content, total, query)
    },

    roleAccess: async ({ params: { role }, query }, ctx) => {
      const row = await requireRole(db, ctx.organization.id, role)
      const { rows, total } = await peopleWithRole(db, role, query)
      const named = can(ctx.capability, 'users', 'read') ? rows : []
      const people = named.map(({ groups, ...user }) => ({ user: toPerson(user), groups }))
      return {
        role: { id: row.id, name: row.name, label: row.label },
        rights: permissionsOf(compileRole(row)),
        groups: await groupsWithRole(db, role),
        peopleBelow: await belowWithRole(db, ctx, row),
        people: toContentPage(people, total, query),
      }
    },
  }) satisfies Partial<ExplainHandlers>

/** Number of people with the role in organizations below; 0 if the caller may not see roles there, or the role is not ready-made. */
async function belowWithRole(
  db: Db,
  ctx: OrgCtx,
  { name, owner }: { name: string; owner: string },
) {
  const { organization, capabilityBelow, closed = [] } = ctx
  if (owner !== 'SYSTEM' || !capabilityBelow || !can(capabilityBelow, 'roles', 'read')) return 0
  return peopleWithRoleBelow(db, organization.id, { name, closed })
}

const rightFor = (action: Action) => (action === 'update' ? 'write' : 'read')

type Place = OrgCtx['organization'] | { id: number; resourceId: string; dataEnabled: boolean }

const subjectOf = async (db: Db, place: Place, person: PersonRow): Promise<Subject> => {
  const [subject] = await subjectsOf(db, place, [person])
  return subject ?? { person, held: [], policies: [], organization: place }
}

async function subjectsOf(db: Db, place: Place, people: readonly Subject['person'][]) {
  const ids = people.map(({ id }) => id)
  const held = Map.groupBy(await rolesHeld(db, place.id, ids), ({ userId }) => userId)
  const policies = Map.groupBy(await policiesHeld(db, place.id, ids), ({ userId }) => userId)
  return people.map((person): Subject => ({
    person,
    held: held.get(person.id) ?? [],
    policies: (policies.get(person.id) ?? []).map(({ id, name }) => ({ id, name })),
    organization: place,
  }))
}

const groupNames = (db: Db, subjects: readonly Subject[]) => {
  const ids = subjects.flatMap(({ held }) =>
    held.flatMap(({ rules }) => rules.flatMap(({ deviceGroup }) => deviceGroup ?? [])),
  )
  return namesOfPolicies(db, [...new Set(ids)])
}

const conditionsOf = ({ secondFactorRequired, allowedAddresses }: OrgCtx['organization']) => ({
  secondFactor: secondFactorRequired === true,
  addresses: [...(allowedAddresses ?? [])],
})

/** Could the person sign in with a second factor? Only asked where the organization wants one. */
async function hasFactor(
  clients: CoreDeps['clients'],
  { caller, organization }: OrgCtx,
  { sub, service_account }: PersonRow,
) {
  // The caller was let in just now; service accounts need none.
  const isIn = sub === caller.sub || service_account || organization.secondFactorRequired !== true
  if (isIn) return true
  const body = { subs: [sub], only: 'secondFactor' as const }
  return (await clients.identity.signInStates({ body })).some((state) => state.secondFactor)
}

type Query = {
  user?: number | undefined
  address?: string | undefined
  secondFactor?: boolean | undefined
}
type Question = Parameters<typeof explainAccess>[1]

/** Condition of the organization or the API key that stops a call although the person has the right. */
function besides(ctx: OrgCtx, query: Query, question: Question): Blocked | undefined {
  const { secondFactorRequired, allowedAddresses = [] } = ctx.organization
  const { address, secondFactor, user } = query
  const isOutside = address !== undefined && !isAmong(allowedAddresses, address)
  if (isOutside && allowedAddresses.length > 0) return 'address'
  if (secondFactorRequired === true && secondFactor === false) return 'second-factor'
  const isKey = ctx.caller.apiKey !== undefined && user === undefined
  return isKey && !holds(ctx.capability, question) ? 'key-limits' : undefined
}

function holds(capability: Capability, { resource, action, asked = {} }: Question) {
  const { groupsOfDevice, path, right, vpnName } = asked
  if (resource === 'vpn' && vpnName !== undefined) return canVpn(capability, action, vpnName)
  if (resource !== 'devices' || !groupsOfDevice) return can(capability, resource, action)
  if (path === undefined || right === undefined)
    return canDevice(capability, action, groupsOfDevice)
  return actionOf(right) === action && canPath(capability, right, groupsOfDevice, path)
}

/** The same way for several actions is one way. */
const once = <T>(reasons: readonly T[]) => [
  ...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values(),
]
