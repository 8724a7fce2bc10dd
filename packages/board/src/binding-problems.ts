import { parseFormula } from '@longreach/formula/parse'
import type { Binding, SimpleBinding } from './binding.ts'
import type { Board } from './board.ts'
import type { KnownTags } from './known-tags.ts'
import type { Node } from './node.ts'
import type { Problem } from './problem.ts'

/** Problems of the bindings of a node. */
export const bindingProblems = (board: Board, tags: KnownTags, node: Node): Problem[] =>
  Object.entries(node.bind).flatMap(([at, binding]) =>
    problemsOfBinding(board, tags, binding).map((problem) => ({ ...problem, node: node.id, at })),
  )

function problemsOfBinding(board: Board, tags: KnownTags, binding: Binding): Problem[] {
  if (!('formula' in binding)) return partProblems(board, tags, binding)
  const { text, in: inputs } = binding.formula
  return [
    ...formulaProblems(text, inputs),
    ...Object.values(inputs).flatMap((part) => partProblems(board, tags, part)),
  ]
}

/** Faults of a formula: its text, functions of the past, for which a board has figures, and unknown inputs. */
function formulaProblems(text: string, inputs: Readonly<Record<string, SimpleBinding>>): Problem[] {
  const parsed = parseFormula(text)
  if (!parsed.ok) {
    return parsed.issues.map(
      ({ code: fault, values, startLineNumber: line, startColumn: column }) => ({
        code: 'formula',
        params: { ...values, fault, line, column },
      }),
    )
  }
  if (parsed.formula.reach.size > 0) return [{ code: 'formula_past' }]
  return parsed.formula.variables
    .filter((name) => !Object.hasOwn(inputs, name))
    .map((name) => ({ code: 'formula_input', params: { name } }))
}

function partProblems(board: Board, tags: KnownTags, part: SimpleBinding): Problem[] {
  if ('tag' in part) {
    const { slot, path, mode, feedback } = part.tag
    return [
      ...tagProblems(board, tags, { slot, path, isWritten: mode === 'w' || mode === 'rw' }),
      ...(feedback === undefined
        ? []
        : tagProblems(board, tags, { slot, path: feedback, isWritten: false })),
    ]
  }
  if ('device' in part) return slotProblem(board, part.device.slot)
  if ('var' in part) return variableProblem(board, part.var.name)
  if ('node' in part && !board.nodes.has(part.node.node)) {
    return [{ code: 'unknown_node', params: { node: part.node.node } }]
  }
  return []
}

export const slotProblem = ({ head }: Board, slot: string): Problem[] =>
  Object.hasOwn(head.slots, slot) ? [] : [{ code: 'unknown_slot', params: { slot } }]

export const variableProblem = ({ head }: Board, name: string): Problem[] =>
  Object.hasOwn(head.variables, name) ? [] : [{ code: 'unknown_variable', params: { name } }]

/** Problems of a value that is read or written: no such slot, no such path, or not to be written. */
export function tagProblems(
  board: Board,
  tags: KnownTags,
  { slot, path, isWritten }: { slot: string; path: string; isWritten: boolean },
): Problem[] {
  const noSlot = slotProblem(board, slot)
  if (noSlot.length > 0) return noSlot
  const found = tags.find(slot, path)
  if (found === undefined) return []
  if (found) return isWritten && !found.writable ? [{ code: 'not_writable', params: { path } }] : []
  const nearest = tags.nearest(slot, path)
  return [{ code: 'unknown_path', params: { path }, ...(nearest !== undefined && { nearest }) }]
}
