/**
 * Rules in a cycle of `unless` that a rule would close, beginning and ending with its own id;
 * undefined without one. `unlessOf` maps rules of the device to the rule that suppresses them.
 */
export function unlessCycle(
  id: string,
  unless: string,
  unlessOf: ReadonlyMap<string, string>,
): string[] | undefined {
  const chain = [id]
  const seen = new Set<string>()
  for (let next: string | undefined = unless; next !== undefined; next = unlessOf.get(next)) {
    chain.push(next)
    if (next === id) return chain
    // A cycle of others does not contain this rule.
    if (seen.has(next)) return undefined
    seen.add(next)
  }
  return undefined
}
