/**
 * True when the path matches the pattern. `**` is any text, `*` any text without a slash: `Oven:1/**`,
 * `Oven:1/zones[*]/temp`. The work grows with both lengths, and with nothing else.
 */
export function pathMatches(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*')
  if (star === -1) return pattern === path
  if (star === pattern.length - 2 && pattern.endsWith('**')) {
    return path.startsWith(pattern.slice(0, -2))
  }
  let reached = new Set([0])
  for (const part of partsOf(pattern)) {
    reached = part.startsWith('*')
      ? reachFurther(reached, path, part === '**')
      : step(reached, path, part)
    if (reached.size === 0) return false
  }
  return reached.has(path.length)
}

const known = new Map<string, readonly string[]>()

/** A question asks one pattern of many paths: it is taken apart once. */
function partsOf(pattern: string) {
  const parts = known.get(pattern) ?? pattern.split(/(\*\*|\*)/).filter((part) => part !== '')
  if (known.size >= mostKnown) known.clear()
  known.set(pattern, parts)
  return parts
}
const mostKnown = 1_000

/** The places that can be reached from those reached, over any text. */
function reachFurther(reached: ReadonlySet<number>, path: string, overSlashes: boolean) {
  const further = new Set<number>()
  let on = false
  for (let at = 0; at <= path.length; at += 1) {
    on ||= reached.has(at)
    if (on) further.add(at)
    if (!overSlashes && path[at] === '/') on = false
  }
  return further
}

function step(reached: ReadonlySet<number>, path: string, text: string) {
  const further = new Set<number>()
  for (const at of reached) if (path.startsWith(text, at)) further.add(at + text.length)
  return further
}
