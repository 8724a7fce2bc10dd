import { bitOf, type PathGrant, type PathRight, pathRights } from './capability.ts'

/** Rights of a role on the model paths of a pattern. */
export type RolePath = { path: string } & Record<PathRight, boolean>

type Lists = Record<PathRight, Set<string>>
/** Rights limited to paths, by device group (null: every device). */
export type Limited = Map<number | null, Lists & { mask: number }>

const read = bitOf('read')
const update = bitOf('update')

/**
 * Adds the rights of a role that is limited to paths; returns the actions to which paths do not
 * apply.
 */
export function limitToPaths(
  limited: Limited,
  group: number | null,
  mask: number,
  paths: readonly RolePath[],
) {
  const valued = mask & (read | update)
  if (valued !== 0) {
    const held = limited.get(group) ?? {
      mask: 0,
      read: new Set<string>(),
      history: new Set<string>(),
      write: new Set<string>(),
    }
    held.mask |= valued
    for (const right of pathRights) {
      const given = (valued & needed(right)) === 0 ? [] : paths.filter((one) => one[right])
      for (const { path } of given) held[right].add(path)
    }
    limited.set(group, held)
  }
  return mask & ~valued
}

const needed = (right: PathRight) => (right === 'write' ? update : read)

/**
 * Normalized path grants, without those that the group has without a limit (`freeIn`) or that hold
 * on every device.
 */
export function pathGrants(limited: Limited, freeIn: (group: number | null) => number) {
  const everywhere = left(limited.get(null), freeIn(null))
  const byContent = new Map<string, PathGrant>()
  if (everywhere.mask !== 0) byContent.set('', { groups: null, ...everywhere })
  for (const [group, held] of limited) {
    if (group === null) continue
    const grant = left(held, freeIn(group), everywhere)
    if (grant.mask === 0) continue
    const key = JSON.stringify(grant)
    const same = byContent.get(key)
    if (same) same.groups?.push(group)
    else byContent.set(key, { groups: [group], ...grant })
  }
  return [...byContent]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { groups, ...grant }]) => ({
      groups: groups?.toSorted((a, b) => a - b) ?? null,
      ...grant,
    }))
}

type Left = Omit<PathGrant, 'groups'>
const nothing: Left = { mask: 0, read: [], history: [], write: [] }

function left(held: (Lists & { mask: number }) | undefined, free: number, besides = nothing): Left {
  if (!held) return nothing
  const mask = held.mask & ~free
  const listOf = (right: PathRight) =>
    (mask & needed(right)) === 0
      ? []
      : [...held[right]].filter((path) => !besides[right].includes(path)).toSorted()
  const lists = { read: listOf('read'), history: listOf('history'), write: listOf('write') }
  const adds = pathRights.some((right) => lists[right].length > 0)
  // A group that adds no path to those of every device only adds visibility.
  const seen = adds ? mask : mask & ~besides.mask
  return { mask: seen, ...lists }
}
