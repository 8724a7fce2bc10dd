import type { Snapshot } from '@longreach/authorization/compile'
import { type Asked, explain, type Explanation } from '@longreach/authorization/explain'
import type { Action, Resource } from '@longreach/authorization/permissions'
import type { Blocked, Person, Reason } from './explain-contract.ts'
import type { Held } from './held-store.ts'
import type { PersonRow } from './people-store.ts'

/** Person with their roles and device groups in an organization, for an explanation of their rights. */
export type Subject = {
  person: Omit<PersonRow, 'member'>
  held: readonly Held[]
  policies: readonly { id: number; name: string }[]
  organization: Snapshot['organization']
}
type Question = { resource: Resource; action: Action; asked?: Asked }
type Answer = Omit<Explanation, 'blocked'> & { blocked?: Blocked }

const snapshotOf = ({ organization, policies }: Subject, roles: readonly Held[]): Snapshot => ({
  organization,
  roles,
  policies: policies.map(({ id }) => id),
})

/** The person's roles and policies as they count. */
export const effectiveSnapshot = (subject: Subject) =>
  snapshotOf(
    subject,
    subject.held.filter(({ cut }) => !cut),
  )

/** Explanation of a right: the roles that give it, else those that something blocks. */
export function explainAccess(subject: Subject, { resource, action, asked }: Question): Answer {
  const found = explain(effectiveSnapshot(subject), resource, action, asked)
  if (found.allowed && !subject.person.enabled) {
    return { ...found, allowed: false, blocked: 'disabled' }
  }
  if (found.allowed || found.blocked !== undefined) return found
  const past = explain(snapshotOf(subject, subject.held), resource, action, asked)
  return past.allowed ? { ...past, allowed: false, blocked: 'private-access' } : found
}

/** Reasons with the names that people know. */
export const reasonsOf = (
  { person, policies }: Subject,
  { reasons, policies: through }: Pick<Explanation, 'reasons' | 'policies'>,
  names: ReadonlyMap<number, string>,
): Reason[] =>
  reasons.map(({ deviceGroup, role, group, ...reason }) => ({
    ...reason,
    // What was held came with its labels.
    role: role as Held['role'],
    group: group as Held['group'],
    user: person.username,
    policy: policies.find(({ id }) => through.includes(id)) ?? null,
    deviceGroup:
      deviceGroup === null ? null : { id: deviceGroup, name: names.get(deviceGroup) ?? '' },
  }))

/** A person as the explainer shows them. */
export const toPerson = (row: Omit<PersonRow, 'member'>): Person => ({
  id: row.id,
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  serviceAccount: row.service_account,
  enabled: row.enabled,
})
