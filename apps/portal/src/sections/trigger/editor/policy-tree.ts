import type { Policy } from '@longreach/rules/policy'

/** Group of a policy, and a part that looks at one thing. */
export type PolicyGroup = Extract<Policy, { innerPolicies: Policy[] }>
export type SinglePart = Exclude<Policy, PolicyGroup>

/** Indexes from the root of a policy to one of its parts; empty: the root itself. */
export type PartPath = readonly number[]

export const isPolicyGroup = (policy: Policy): policy is PolicyGroup => 'innerPolicies' in policy

const partsOf = (policy: Policy | undefined): readonly Policy[] =>
  policy && isPolicyGroup(policy) ? policy.innerPolicies : []

/** Place of a part as the server names it: `policy.innerPolicies.0`. */
export const placeOfPart = (path: PartPath) =>
  ['policy', ...path.map((index) => `innerPolicies.${index}`)].join('.')

export const partAt = (root: Policy, path: PartPath): Policy | undefined =>
  path.reduce<Policy | undefined>((above, index) => partsOf(above)[index], root)

/** Path of the part with a uuid. */
export function pathOfPart(root: Policy, uuid: string): PartPath | undefined {
  if (root.uuid === uuid) return []
  for (const [index, part] of partsOf(root).entries()) {
    const below = pathOfPart(part, uuid)
    if (below) return [index, ...below]
  }
  return undefined
}

type PartChange = (part: Policy) => readonly Policy[]

/** Policy in which what `change` answers stands in place of a part of a group. */
function changedPart(root: Policy, path: PartPath, change: PartChange): Policy {
  const [index, ...rest] = path
  if (index === undefined || !isPolicyGroup(root)) return change(root)[0] ?? root
  const innerPolicies = root.innerPolicies.flatMap((part, at) => {
    if (at !== index) return [part]
    return rest.length === 0 ? change(part) : [changedPart(part, rest, change)]
  })
  return { ...root, innerPolicies }
}

/** Policy with another part at a path. */
const withPartAt = (root: Policy, path: PartPath, part: Policy) =>
  path.length === 0 ? part : changedPart(root, path, () => [part])

const groupAround = (parts: Policy[], type: PolicyGroup['type'] = 'AND_OPERATOR'): PolicyGroup => ({
  type,
  innerPolicies: parts,
  uuid: crypto.randomUUID(),
})

/** Policy with one part more: the last one of the group at a path; a root that is no group becomes one. */
export function withAdded(root: Policy, path: PartPath, part: Policy): Policy {
  const group = partAt(root, path)
  if (group === undefined) return root
  const next = isPolicyGroup(group)
    ? { ...group, innerPolicies: [...group.innerPolicies, part] }
    : groupAround([group, part])
  return withPartAt(root, path, next)
}

/** Policy without a part; where one is left of a group, it takes the place of the group. */
export function withoutPartAt(root: Policy, path: PartPath): Policy {
  const above = path.slice(0, -1)
  const group = partAt(root, above)
  if (path.length === 0 || group === undefined || !isPolicyGroup(group)) return root
  const left = group.innerPolicies.filter((_, index) => index !== path.at(-1))
  const [only] = left
  if (only === undefined) return withoutPartAt(root, above)
  return withPartAt(root, above, left.length === 1 ? only : { ...group, innerPolicies: left })
}

/** Policy in which a part stands in a group of its own, of the other kind than the group around it. */
export function withWrapped(root: Policy, path: PartPath): Policy {
  const part = partAt(root, path)
  if (part === undefined) return root
  const around = path.length === 0 ? part : partAt(root, path.slice(0, -1))
  const type = around?.type === 'AND_OPERATOR' ? 'OR_OPERATOR' : 'AND_OPERATOR'
  return withPartAt(root, path, groupAround([part], type))
}

/** Policy in which the parts of a group stand in place of the group. */
export function withoutGroup(root: Policy, path: PartPath): Policy {
  const group = partAt(root, path)
  if (group === undefined || !isPolicyGroup(group) || path.length === 0) return root
  return changedPart(root, path, () => group.innerPolicies)
}

/** Policy without groups that have lost their last part. */
function withoutEmpty(policy: Policy): Policy {
  if (!isPolicyGroup(policy)) return policy
  const innerPolicies = policy.innerPolicies
    .map(withoutEmpty)
    .filter((part) => !isPolicyGroup(part) || part.innerPolicies.length > 0)
  return { ...policy, innerPolicies }
}

const inserted = (root: Policy, above: PartPath, index: number, part: Policy): Policy => {
  const group = partAt(root, above)
  if (group === undefined || !isPolicyGroup(group)) return root
  return withPartAt(root, above, {
    ...group,
    innerPolicies: group.innerPolicies.toSpliced(index, 0, part),
  })
}

/**
 * Policy in which a part stands one step earlier (-1) or later (1) in the order of reading: it changes places with a
 * condition, enters a group beside it, and leaves its own one at the end. Undefined where there is no such step.
 */
export function withMoved(root: Policy, path: PartPath, step: -1 | 1): Policy | undefined {
  const part = partAt(root, path)
  const index = path.at(-1)
  if (part === undefined || index === undefined) return undefined
  const above = path.slice(0, -1)
  const beside = partsOf(partAt(root, above))[index + step]
  const without = changedPart(root, path, () => [])
  const at = step === -1 ? index - 1 : index
  if (beside === undefined) {
    const own = above.at(-1)
    if (own === undefined) return undefined
    const out = inserted(without, above.slice(0, -1), step === -1 ? own : own + 1, part)
    return withoutEmpty(out)
  }
  if (!isPolicyGroup(beside)) return inserted(without, above, index + step, part)
  const end = step === -1 ? beside.innerPolicies.length : 0
  return inserted(without, [...above, at], end, part)
}
