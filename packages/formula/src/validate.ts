import { mostFaults } from './check.ts'
import { type Fault, type FormulaIssue, issueOf, similarTo } from './issue.ts'
import { parseFormula } from './parse.ts'
import { anyIndex, relativePath } from './paths.ts'
import { everyPart, type PathNode } from './tree.ts'

/** Index of the paths that formulas may name, reused for many formulas. */
export class KnownPaths {
  readonly names: ReadonlySet<string>
  /** Remaining searches for similar names: they are slow, so their number is limited. */
  guesses = 20
  /** Paths with or without the model's name; `[*]` is any index. */
  constructor(paths: Iterable<string>) {
    const names = new Set<string>()
    for (const path of paths) names.add(anyIndex(relativePath(path)))
    this.names = names
  }
}

type Known = { paths?: Iterable<string> | KnownPaths }

/** Largest number of faults of one formula with a suggestion. */
const mostGuesses = 3

/** All faults of a formula; empty when it is valid. */
export function validateFormula(text: string, { paths }: Known = {}): FormulaIssue[] {
  const parsed = parseFormula(text)
  if (!parsed.ok) return parsed.issues
  if (!paths) return []
  const known = paths instanceof KnownPaths ? paths : new KnownPaths(paths)
  const faults: Fault[] = []
  for (const node of everyPart(parsed.formula.tree)) {
    if (faults.length >= mostFaults) break
    const guessing = faults.length < mostGuesses && known.guesses > 0
    const fault = node.kind === 'path' && pathFault(node, known.names, guessing)
    if (!fault) continue
    faults.push(fault)
    if (guessing) known.guesses -= 1
  }
  return faults.map((fault) => issueOf(text, fault))
}

function pathFault(
  node: PathNode,
  known: ReadonlySet<string>,
  guessing: boolean,
): Fault | undefined {
  const { from, to } = node
  const path = relativePath(node.path)
  if (known.has(anyIndex(path))) return undefined
  const slash = path.indexOf('/')
  const [left, right] = [path.slice(0, slash), path.slice(slash + 1)]
  if (slash > 0 && known.has(anyIndex(left)) && known.has(anyIndex(right))) {
    const similar = `${left} / ${right}`
    return { code: 'divide_with_blanks', from, to, values: { path, similar } }
  }
  const similar = guessing ? similarTo(anyIndex(path), known) : undefined
  return similar === undefined
    ? { code: 'unknown_path', from, to, values: { path } }
    : { code: 'unknown_path_similar', from, to, values: { path, similar } }
}
