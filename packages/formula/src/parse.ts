import { callFaults } from './check.ts'
import { compile } from './compile.ts'
import { parseTree } from './grammar.ts'
import type { Reach } from './history.ts'
import { type FormulaIssue, issueOf } from './issue.ts'
import { reachOf } from './look-back.ts'
import { relativePath } from './paths.ts'
import type { Run } from './scene.ts'
import { FormulaFault } from './tokens.ts'
import { everyPart, type FormulaNode } from './tree.ts'

/** Parsed formula. It keeps no state between evaluations. */
export type Formula = {
  text: string
  tree: FormulaNode
  /** Paths that it reads, below the model's name, each once. */
  variables: readonly string[]
  /** Paths of which it needs past values; empty for most formulas. */
  reach: ReadonlyMap<string, Reach>
  run: Run
}
type Parsed =
  | { ok: true; formula: Formula }
  | { ok: false; issues: [FormulaIssue, ...FormulaIssue[]] }

/** Parses a formula, or returns its faults. Never throws; takes bounded time for any text. */
export function parseFormula(text: string): Parsed {
  try {
    const tree = parseTree(text)
    const [first, ...others] = callFaults(tree).map((fault) => issueOf(text, fault))
    if (first) return { ok: false, issues: [first, ...others] }
    const variables = pathsOf(tree)
    const formula = { text, tree, variables, reach: reachOf(tree), run: compile(tree, variables) }
    return { ok: true, formula }
  } catch (error) {
    if (error instanceof FormulaFault) return { ok: false, issues: [issueOf(text, error.fault)] }
    throw error
  }
}

/** Paths that a formula reads, below the model's name, each once. */
export const variablesOf = (formula: Formula): readonly string[] => formula.variables

const pathsOf = (tree: FormulaNode) => {
  const paths = new Set<string>()
  for (const node of everyPart(tree)) if (node.kind === 'path') paths.add(relativePath(node.path))
  return [...paths]
}
