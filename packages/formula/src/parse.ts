import { callFaults } from './check.ts'
import { compile } from './compile.ts'
import { treeOf } from './grammar.ts'
import type { Reach } from './history.ts'
import { type FormulaIssue, issueOf } from './issue.ts'
import { reachOf } from './look-back.ts'
import { relativePath } from './paths.ts'
import type { Run } from './scene.ts'
import { FormulaFault } from './tokens.ts'
import { everyPart, type FormulaNode } from './tree.ts'

/** A formula that is ready to run as often as wanted; it keeps nothing between two runs. */
export type Formula = {
  text: string
  tree: FormulaNode
  /** The paths it reads, below the model's name, each once. */
  variables: readonly string[]
  /** Paths that it looks back at, and how far; none for most formulas. */
  reach: ReadonlyMap<string, Reach>
  run: Run
}
type Parsed =
  | { ok: true; formula: Formula }
  | { ok: false; issues: [FormulaIssue, ...FormulaIssue[]] }

/** Read a formula, or say what is wrong where. Never throws, and takes bounded time for any text. */
export function parseFormula(text: string): Parsed {
  try {
    const tree = treeOf(text)
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

/** The paths that a formula reads, below the model's name, each once. */
export const variablesOf = (formula: Formula): readonly string[] => formula.variables

const pathsOf = (tree: FormulaNode) => {
  const paths = new Set<string>()
  for (const node of everyPart(tree)) if (node.kind === 'path') paths.add(relativePath(node.path))
  return [...paths]
}
