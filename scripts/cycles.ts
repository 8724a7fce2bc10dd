/** Names by name: what depends on what. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Groups of names that reach each other, each in a fixed order (Tarjan's strongly connected components). */
export function findCycles(graph: Graph) {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const waiting = new Set<string>()
  const cycles: string[][] = []
  const visit = (name: string) => {
    order.set(name, order.size)
    lowest.set(name, order.size - 1)
    stack.push(name)
    waiting.add(name)
    for (const next of graph.get(name) ?? []) {
      if (!order.has(next)) visit(next)
      if (waiting.has(next)) lower(name, lowest.get(next))
    }
    if (lowest.get(name) !== order.get(name)) return
    const group = stack.splice(stack.indexOf(name))
    for (const one of group) waiting.delete(one)
    if (group.length > 1 || graph.get(name)?.has(name) === true) cycles.push(group.toSorted())
  }
  const lower = (name: string, found = Infinity) =>
    lowest.set(name, Math.min(lowest.get(name) ?? Infinity, found))
  for (const name of [...graph.keys()].toSorted()) if (!order.has(name)) visit(name)
  return cycles.toSorted()
}
