import { numberOf, truthOf } from './convert.ts'
import { functions, tamed } from './functions.ts'
import { compiledLookBack } from './look-back.ts'
import { relativePath } from './paths.ts'
import type { Run } from './scene.ts'
import type { BinaryOperator, CallNode, FormulaNode, FormulaValue } from './tree.ts'

/** Compiles a checked tree to nested functions. */
export function compile(node: FormulaNode, variables: readonly string[]): Run {
  switch (node.kind) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'path': {
      const index = variables.indexOf(relativePath(node.path))
      return ({ values }) => values[index] ?? null
    }
    case 'unary':
      return unary(node.operator, compile(node.operand, variables))
    case 'binary':
      return binary(node, variables)
    case 'condition':
      return condition([node.test, node.yes, node.no].map((part) => compile(part, variables)))
    case 'call':
      return call(node, variables)
  }
}

const nothing: Run = () => null

function unary(operator: '-' | '+' | 'not', operand: Run): Run {
  if (operator === 'not') {
    return (scene) => {
      const truth = truthOf(operand(scene))
      return truth === null ? null : !truth
    }
  }
  return (scene) => {
    const number = numberOf(operand(scene))
    return number === null || operator === '+' ? number : -number
  }
}

function condition([test = nothing, yes = nothing, no = nothing]: readonly Run[]): Run {
  return (scene) => {
    const truth = truthOf(test(scene))
    if (truth === null) return null
    return truth ? yes(scene) : no(scene)
  }
}

function call(node: CallNode, variables: readonly string[]): Run {
  const lookBack = compiledLookBack(node)
  if (lookBack) return lookBack
  const args = node.args.map((part) => compile(part, variables))
  if (node.name === 'if') return condition(args)
  const run = functions.get(node.name)?.run
  return run ? (scene) => tamed(run(args.map((arg) => arg(scene)))) : nothing
}

type Binary = Extract<FormulaNode, { kind: 'binary' }>

function binary({ operator, left, right }: Binary, variables: readonly string[]): Run {
  const one = compile(left, variables)
  const other = compile(right, variables)
  if (operator === 'and' || operator === 'or') return logical(operator === 'or', one, other)
  if (operator === '==' || operator === '!=') {
    // Comparison with a literal `null` tests for null; any other comparison with null gives null.
    const asked = isNullLiteral(left) || isNullLiteral(right)
    return equality(operator === '==', asked, one, other)
  }
  const compute = arithmetic[operator]
  if (compute) {
    return (scene) => {
      const [a, b] = [one(scene), other(scene)]
      if (operator === '+' && (typeof a === 'string' || typeof b === 'string')) {
        return a === null || b === null ? null : tamed(String(a) + String(b))
      }
      const [x, y] = [numberOf(a), numberOf(b)]
      return x === null || y === null ? null : tamed(compute(x, y))
    }
  }
  return order(operator, one, other)
}

const isNullLiteral = (node: FormulaNode) => node.kind === 'literal' && node.value === null

/** Division by zero gives an infinity or NaN, which `tamed` turns into null. */
const arithmetic: Partial<Record<BinaryOperator, (x: number, y: number) => number>> = {
  '+': (x, y) => x + y,
  '-': (x, y) => x - y,
  '*': (x, y) => x * y,
  '/': (x, y) => x / y,
  '%': (x, y) => x % y,
  '^': (x, y) => x ** y,
}

/** Three-valued logic: a known operand decides when it can, otherwise null remains. */
function logical(deciding: boolean, one: Run, other: Run): Run {
  return (scene) => {
    const a = truthOf(one(scene))
    if (a === deciding) return deciding
    const b = truthOf(other(scene))
    if (b === deciding) return deciding
    return a === null || b === null ? null : !deciding
  }
}

function equality(wanted: boolean, nullCounts: boolean, one: Run, other: Run): Run {
  return (scene) => {
    const [a, b] = [one(scene), other(scene)]
    if (a === null || b === null) return nullCounts ? (a === b) === wanted : null
    return equal(a, b) === wanted
  }
}

function equal(a: FormulaValue, b: FormulaValue) {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return Number(a) === Number(b)
}

function order(operator: BinaryOperator, one: Run, other: Run): Run {
  return (scene) => {
    const [a, b] = [one(scene), other(scene)]
    if (typeof a === 'string' && typeof b === 'string')
      return holds(operator, a < b ? -1 : a > b ? 1 : 0)
    const [x, y] = [numberOf(a), numberOf(b)]
    return x === null || y === null ? null : holds(operator, x - y)
  }
}

function holds(operator: BinaryOperator, difference: number) {
  switch (operator) {
    case '<':
      return difference < 0
    case '<=':
      return difference <= 0
    case '>':
      return difference > 0
    default:
      return difference >= 0
  }
}
