import { iotOnly } from '@longreach/authorization/permissions'
import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import type { Consequence } from './consequence-contract.ts'
import {
  type Affected,
  devicesBelow,
  keysBelow,
  membersBelow,
  organizationsBelowWith,
  peopleFromAbove,
  peopleWithRightOn,
  personsBelow,
} from './consequence-store.ts'
import { addressesAfter, type Attempt, lockoutOf } from './lockout.ts'
import { changedFields, type Field, losesHostname, columnsOffBelow } from './organization-rules.ts'
import { findOrganization } from './organization-store.ts'

type Executor = Kysely<CoreDb>
type Deps = { db: Executor; clients: CoreDeps['clients'] }

/** Effects of a change on people, devices, keys and organizations below. */
export async function consequencesOf(deps: Deps, attempt: Attempt): Promise<Consequence[]> {
  const fields = changedFields(attempt.row, attempt.change)
  const change = Object.fromEntries(fields.map((field) => [field, attempt.change[field]]))
  const asked = { ...attempt, change }
  const locked = await lockoutOf(deps.db, asked)
  const found = [
    ...(await ofFeatures(deps.db, asked)),
    ...(await ofPrivateAccess(deps.db, asked)),
    ...(await ofAddresses(deps.db, asked)),
    ...(await ofSecondFactor(deps, asked)),
    ...(locked ? [shutOut(locked, attempt)] : []),
  ]
  return found.filter(({ count }) => count > 0)
}

const one = (field: Field, effect: Consequence['effect'], affected: Affected): Consequence => ({
  field,
  effect,
  ...affected,
})

const shutOut = (field: Field, { ip, caller }: Attempt) =>
  one(field, 'locks_you_out', {
    count: 1,
    names: [field === 'ipAddressesWhitelist' ? ip : caller.username],
  })

async function ofFeatures(db: Executor, { row, change }: Attempt) {
  const found: Consequence[] = []
  const { id } = row
  if (change.dataEnabled === false) {
    found.push(one('dataEnabled', 'people_lose_iot', await peopleWithRightOn(db, id, iotOnly)))
    found.push(one('dataEnabled', 'devices_hidden', await devicesBelow(db, id)))
  }
  if (change.vpnEnabled === false) {
    found.push(one('vpnEnabled', 'people_lose_vpn', await peopleWithRightOn(db, id, ['vpn'])))
  }
  for (const { field, column } of columnsOffBelow(row, change)) {
    const lost = await organizationsBelowWith(db, id, column)
    found.push(one(field, 'organizations_lose', lost))
  }
  if (row.hostname !== null && (change.hostname !== undefined || losesHostname(row, change))) {
    const field = change.hostname === undefined ? 'allowHostname' : 'hostname'
    found.push(one(field, 'hostname_lost', { count: 1, names: [row.hostname] }))
  }
  return found
}

async function ofPrivateAccess(db: Executor, { row, change }: Attempt) {
  if (change.privateAccess === undefined) return []
  const { id, private_root: root } = row
  if (change.privateAccess) {
    return [one('privateAccess', 'people_shut_out', await peopleFromAbove(db, id, root))]
  }
  const parent = row.parent === null ? undefined : await findOrganization(db, row.parent)
  const people = await peopleFromAbove(db, id, parent?.private_root ?? null)
  return [one('privateAccess', 'people_let_in', people)]
}

async function ofAddresses(db: Executor, attempt: Attempt) {
  const { row, change } = attempt
  const field = 'ipAddressesWhitelist'
  if (change[field] === undefined || !(await addressesAfter(db, attempt))) return []
  return [
    one(field, 'people_by_address', await membersBelow(db, row.id)),
    one(field, 'keys_by_address', await keysBelow(db, row.id)),
  ]
}

async function ofSecondFactor(deps: Deps, { row, change }: Attempt) {
  const field = 'secondFactorRequired'
  if (change[field] !== true) return []
  const without = await peopleWithoutFactor(deps, row.id, true)
  const names = without.slice(0, 5).map(({ username }) => username)
  return [one(field, 'people_without_factor', { count: without.length, names })]
}

const asksAtMost = 1_000

/** People of an organization, or with those below it, who have no second factor. */
export async function peopleWithoutFactor({ db, clients }: Deps, id: number, deep: boolean) {
  const people = await personsBelow(db, id, deep)
  const having = new Set<string>()
  for (let from = 0; from < people.length; from += asksAtMost) {
    const subs = people.slice(from, from + asksAtMost).map(({ sub }) => sub)
    const states = await clients.identity.signInStates({ body: { subs, only: 'secondFactor' } })
    for (const { sub, secondFactor } of states) if (secondFactor) having.add(sub)
  }
  return people.filter(({ sub }) => !having.has(sub))
}
