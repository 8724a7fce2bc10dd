/** Input or result of a formula. */
export type FormulaValue = number | string | boolean | null

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | 'and'
  | 'or'

type Stretch = { from: number; to: number }
export type CallNode = Stretch & { kind: 'call'; name: string; args: FormulaNode[] }
export type PathNode = Stretch & { kind: 'path'; path: string }
/** Syntax tree of a formula; `from` and `to` are the range in the text. */
export type FormulaNode =
  | (Stretch & { kind: 'literal'; value: FormulaValue })
  | PathNode
  | (Stretch & { kind: 'unary'; operator: '-' | '+' | 'not'; operand: FormulaNode })
  | (Stretch & {
      kind: 'binary'
      operator: BinaryOperator
      left: FormulaNode
      right: FormulaNode
    })
  | (Stretch & {
      kind: 'condition'
      test: FormulaNode
      yes: FormulaNode
      no: FormulaNode
    })
  | CallNode

/** Children of a node, in the order of the text. */
function partsOf(node: FormulaNode): readonly FormulaNode[] {
  switch (node.kind) {
    case 'unary':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'condition':
      return [node.test, node.yes, node.no]
    case 'call':
      return node.args
    default:
      return []
  }
}

/** All nodes of the tree, without recursion. */
export function* everyPart(tree: FormulaNode): Generator<FormulaNode> {
  const waiting = [tree]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    waiting.push(...partsOf(node).toReversed())
  }
}
