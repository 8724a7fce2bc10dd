import type { Action } from '@longreach/authorization/permissions'

export const kinds = ['person', 'userGroup', 'role', 'device'] as const
export type Kind = (typeof kinds)[number]

/** Something that is in a device group, or is to be. */
export type Entry = {
  kind: Kind
  id: string
  label: string
  /** Of a role: what it gives on the devices of the group. */
  actions?: readonly Action[] | undefined
}

/** Changes to a group; entries in neither list stay. A role of the group may be `put` with other actions. */
export type Draft = { put: readonly Entry[]; out: readonly Entry[] }

export const noChange: Draft = { put: [], out: [] }

export const isSame = (one: Entry, other: Entry) => one.kind === other.kind && one.id === other.id
const has = (entries: readonly Entry[], entry: Entry) => entries.some((one) => isSame(one, entry))
const without = (entries: readonly Entry[], entry: Entry) =>
  entries.filter((one) => !isSame(one, entry))

/** Several entries into the group; what is there already, or on its way, stays as it is. */
export function withPut(draft: Draft, entries: readonly Entry[], current: readonly Entry[]): Draft {
  return entries.reduce<Draft>((so, entry) => {
    if (has(so.out, entry)) return { ...so, out: without(so.out, entry) }
    if (has(current, entry) || has(so.put, entry)) return so
    const role = entry.kind === 'role' && entry.actions === undefined
    return { ...so, put: [...so.put, role ? { ...entry, actions: ['read'] } : entry] }
  }, draft)
}

/** An entry out of the group, or no longer on its way into it. */
export function withOut(draft: Draft, entry: Entry, current: readonly Entry[]): Draft {
  const put = without(draft.put, entry)
  if (!has(current, entry)) return { ...draft, put }
  return { put, out: has(draft.out, entry) ? draft.out : [...draft.out, entry] }
}

/** As it was before anybody touched the entry. */
export const asBefore = (draft: Draft, entry: Entry): Draft => ({
  put: without(draft.put, entry),
  out: without(draft.out, entry),
})

const sameActions = (one: readonly string[] = [], other: readonly string[] = []) =>
  one.length === other.length && one.every((action) => other.includes(action))

/** Draft in which a role has these actions on the devices of the group; without actions the role is taken out. */
export function withActions(
  draft: Draft,
  entry: Entry,
  actions: readonly Action[],
  current: readonly Entry[],
): Draft {
  if (actions.length === 0) return withOut(draft, entry, current)
  const before = current.find((one) => isSame(one, entry))
  const rest = asBefore(draft, entry)
  if (before && sameActions(before.actions, actions)) return rest
  return { ...rest, put: [...rest.put, { ...entry, actions }] }
}

export type Shown = Entry & { state: 'kept' | 'new' | 'changed' | 'gone' }

/** The group as it will be, with what is about to go still in its place. */
export function shownEntries(draft: Draft, current: readonly Entry[]): Shown[] {
  const kept = current.map((entry): Shown => {
    if (has(draft.out, entry)) return { ...entry, state: 'gone' }
    const put = draft.put.find((one) => isSame(one, entry))
    return put ? { ...put, state: 'changed' } : { ...entry, state: 'kept' }
  })
  const fresh = draft.put
    .filter((entry) => !has(current, entry))
    .map((entry): Shown => ({ ...entry, state: 'new' }))
  return [...fresh, ...kept]
}

export const countChanges = ({ put, out }: Draft) => put.length + out.length
