/**
 * Order of evaluation of a device's formulas, and those in cycles. `needs` maps each path to the
 * paths that its formula reads.
 */
export function orderOf(needs: ReadonlyMap<string, readonly string[]>): {
  order: string[]
  circular: string[]
} {
  const open = new Map<string, number>()
  const wanting = new Map<string, string[]>()
  for (const [path, inputs] of needs) {
    const computed = [...new Set(inputs)].filter((input) => needs.has(input))
    open.set(path, computed.length)
    for (const input of computed) {
      const list = wanting.get(input)
      if (list) list.push(path)
      else wanting.set(input, [path])
    }
  }
  const order = [...open].filter(([, count]) => count === 0).map(([path]) => path)
  for (let at = 0; at < order.length; at += 1) {
    for (const path of wanting.get(order[at] ?? '') ?? []) {
      const left = (open.get(path) ?? 0) - 1
      open.set(path, left)
      if (left === 0) order.push(path)
    }
  }
  const ordered = new Set(order)
  return { order, circular: [...needs.keys()].filter((path) => !ordered.has(path)) }
}
