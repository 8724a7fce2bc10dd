import { type Fault, type FormulaIssue, issueOf, similarTo } from './issue.ts'
import { parseFormula } from './parse.ts'
import { anyIndex, relativePath } from './paths.ts'
import { everyPart, type PathNode } from './tree.ts'

type Known = {
  /** The paths that a formula may name, with or without the model's name; `[*]` is any index. */
  paths?: Iterable<string>
}

/** Everything wrong with a formula, with its place; empty when nothing is. */
export function validateFormula(text: string, { paths }: Known = {}): FormulaIssue[] {
  const parsed = parseFormula(text)
  if (!parsed.ok) return parsed.issues
  if (!paths) return []
  const known = new Set<string>()
  for (const path of paths) known.add(anyIndex(relativePath(path)))
  const faults: Fault[] = []
  for (const node of everyPart(parsed.formula.tree)) {
    const fault = node.kind === 'path' && pathFault(node, known)
    if (fault) faults.push(fault)
  }
  return faults.map((fault) => issueOf(text, fault))
}

function pathFault(node: PathNode, known: ReadonlySet<string>): Fault | undefined {
  const { from, to } = node
  const path = relativePath(node.path)
  if (known.has(anyIndex(path))) return undefined
  const slash = path.indexOf('/')
  const [left, right] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash > 0 && known.has(anyIndex(left)) && known.has(anyIndex(right))) {
    const similar = `${left} / ${right}`
    return { code: 'divide_with_blanks', from, to, values: { path, similar } }
  }
  const similar = similarTo(anyIndex(path), known)
  return similar === undefined
    ? { code: 'unknown_path', from, to, values: { path } }
    : { code: 'unknown_path_similar', from, to, values: { path, similar } }
}
