type Placed = { resourceId: string }

/** Organizations in the order of their tree, each once, with how far below the topmost listed one it is. */
export function treeOf<O extends Placed>(organizations: readonly O[]) {
  const byId = new Map(organizations.map((one) => [one.resourceId, one]))
  const ids = [...byId.keys()].toSorted((a, b) => compareSteps(a.split('.'), b.split('.')))
  return ids.flatMap((id) => {
    const organization = byId.get(id)
    const depth = ids.filter((other) => id.startsWith(`${other}.`)).length
    return organization === undefined ? [] : [{ organization, depth }]
  })
}

// By steps: as plain texts `a-b` would come between `a` and `a.b`.
function compareSteps(a: string[], b: string[]) {
  const at = a.findIndex((step, index) => step !== b[index])
  if (at === -1) return a.length - b.length
  return (a[at] ?? '').localeCompare(b[at] ?? '')
}
