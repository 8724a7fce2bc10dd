import { offsetOf, positionsIn, readJson } from '@longreach/kit/json-places'
import type { Issue } from '../asked-contract.ts'
import { isTree, mostIssues } from '../tree-rules.ts'
import type { Problem } from './model-contract.ts'
import { judgeModel } from './model-rules.ts'

type Tree = Record<string, unknown>

/** Problems of a tree with their places in its text as the server formats it, indented by two blanks. */
export function judgedTree(tree: Tree) {
  const { issues } = judgeModel(tree)
  if (issues.length === 0) return { tree, problems: [] }
  const text = JSON.stringify(tree, null, 2)
  return { tree, problems: placeIssues(issues, readJson(text).places, positionsIn(text)) }
}

/** The problems of a tree that comes as JSON, as it goes to another thread. */
export const problemsOfTree = (json: string) => judgedTree(JSON.parse(json) as Tree).problems

/** The same for a text as somebody typed it. */
export function judgedText(text: string): { tree: Tree | undefined; problems: Problem[] } {
  const { value, mistakes, places } = readJson(text)
  const positionAt = positionsIn(text)
  const broken = mistakes.slice(0, mostIssues).map(({ rule, message, offset }) => ({
    path: '',
    message,
    severity: 'error' as const,
    rule: `json.${rule}`,
    ...positionAt(offset),
  }))
  if (value === undefined) return { tree: undefined, problems: broken }
  const tree = isTree(value) ? value : undefined
  const issues: Issue[] = tree
    ? judgeModel(tree).issues
    : [{ path: '', message: 'must be an object', severity: 'error', rule: 'object' }]
  return { tree, problems: [...broken, ...placeIssues(issues, places, positionAt)] }
}

function placeIssues(
  issues: readonly Issue[],
  places: ReadonlyMap<string, number>,
  positionAt: ReturnType<typeof positionsIn>,
): Problem[] {
  return issues.map((issue) => ({ ...issue, ...positionAt(offsetOf(places, issue.path)) }))
}
