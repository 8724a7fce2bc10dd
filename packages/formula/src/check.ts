import { conditionFunction, functions, historyFunctions, signatures } from './functions.ts'
import { type Fault, similarTo } from './issue.ts'
import { limits } from './limits.ts'
import { type CallNode, everyPart, type FormulaNode } from './tree.ts'

/** Largest number of faults reported for one formula. */
export const mostFaults = 20

/** Calls of unknown functions, or with a wrong number or kind of arguments. */
export function callFaults(tree: FormulaNode): Fault[] {
  const faults: Fault[] = []
  for (const node of everyPart(tree)) {
    if (faults.length >= mostFaults) break
    if (node.kind === 'call') faults.push(...faultsOf(node))
  }
  return faults
}

function faultsOf(node: CallNode): Fault[] {
  const { name, args, from, to } = node
  const nameEnd = from + name.length
  const known = signatures.has(name)
  if (!known) {
    const similar = similarTo(name, signatures.keys())
    return similar === undefined
      ? [{ code: 'unknown_function', from, to: nameEnd, values: { name } }]
      : [{ code: 'unknown_function_similar', from, to: nameEnd, values: { name, similar } }]
  }
  const { least, most } = countsOf(name)
  if (args.length < least || args.length > most) {
    const expected = least === most ? least : `${least} – ${most}`
    return [{ code: 'argument_count', from, to, values: { name, expected, given: args.length } }]
  }
  return historyFunctions.has(name) ? lookBackFaults(node) : []
}

function countsOf(name: string) {
  const lookBack = historyFunctions.get(name)
  if (lookBack) return lookBack.needsWindow ? { least: 2, most: 2 } : { least: 1, most: 1 }
  return functions.get(name) ?? conditionFunction
}

function lookBackFaults({ name, args: [path, window] }: CallNode): Fault[] {
  if (path?.kind !== 'path') {
    return [{ code: 'needs_path', from: path?.from ?? 0, to: path?.to ?? 0, values: { name } }]
  }
  if (!window) return []
  const seconds = window.kind === 'literal' ? window.value : undefined
  const good = typeof seconds === 'number' && seconds >= 1 && seconds <= limits.windowS
  const values = { name, most: limits.windowS }
  return good ? [] : [{ code: 'needs_window', from: window.from, to: window.to, values }]
}
