import type { Admission } from '@longreach/authorization/admission'
import { type Capability, isEmpty } from '@longreach/authorization/capability'
import {
  compile,
  compileBelow,
  compileRole,
  type HeldRole,
  type Snapshot,
} from '@longreach/authorization/compile'
import { covers } from '@longreach/authorization/covers'

type Entry = Pick<Admission, 'organization' | 'closed'> & { member: boolean } & Pick<
    Snapshot,
    'roles' | 'policies'
  >

/** Into the organization comes who is a member, or has rights there through a role from above. */
export function admissionOf({ organization, member, roles, policies, closed = [] }: Entry) {
  const snapshot: Snapshot = { organization, roles, policies }
  const capability = compile(snapshot)
  if (!member && isEmpty(capability)) return undefined
  const capabilityBelow = compileBelow(snapshot)
  const admission: Admission = {
    organization,
    capability,
    below: capabilityBelow !== undefined,
    ...(closed.length > 0 && { closed }),
  }
  return capabilityBelow === undefined ? admission : { ...admission, capabilityBelow }
}

type Held = Pick<Snapshot, 'roles' | 'policies'>
const nothing: Capability = { grants: {}, deviceGroups: [] }
// Whether the organization has IoT now does not matter for who may hand out what.
const all = ({ roles, policies }: Held) => ({
  organization: { dataEnabled: true },
  roles,
  policies,
})

/** A role as far as it matters for who may hand it out. */
export type Handed = Pick<HeldRole, 'inherit' | 'rules' | 'paths'>

/** Nobody hands out a role that gives more than they have, here or below. */
export function mayHandOut(holder: Held, role: Handed) {
  const given = compileRole(role)
  if (!covers(compile(all(holder)), given)) return false
  return !role.inherit || covers(compileBelow(all(holder)) ?? nothing, given)
}

/** Does the one hold at least everything that the other does, here and below? */
export const outranks = (one: Held, other: Held) =>
  covers(compile(all(one)), compile(all(other))) &&
  covers(compileBelow(all(one)) ?? nothing, compileBelow(all(other)) ?? nothing)

/** Do these roles give nothing, here and below? */
export const givesNothing = (held: Held) =>
  isEmpty(compile(all(held))) && isEmpty(compileBelow(all(held)) ?? nothing)
