import { limits } from './limits.ts'
import { refuse, type Token, tokensOf } from './tokens.ts'
import type { BinaryOperator, FormulaNode } from './tree.ts'

/** Precedence of operators; equal ones associate to the left, `^` to the right. */
const strengths: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  '^': 8,
}
/** Precedence: `not` is below comparisons, a sign below `^`, so -2^2 is -4. */
const notStrength = 3
const signStrength = 7

const spelled: Readonly<Record<string, BinaryOperator>> = { '&&': 'and', '||': 'or' }
const literals: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Syntax tree of a text; throws a `FormulaFault` at a syntax error. */
export function parseTree(text: string): FormulaNode {
  const tokens = tokensOf(text)
  if (tokens.length === 1) refuse('empty', { from: 0, to: Math.max(1, text.length) })
  if (tokens.length > limits.nodes * 3) {
    refuse('too_many_parts', { from: 0, to: text.length }, { most: limits.nodes })
  }
  const reader = new TreeReader(tokens)
  const tree = reader.expression(0)
  reader.end()
  return tree
}

class TreeReader {
  private at = 0
  private depth = 0
  private nodes = 0
  private readonly tokens: readonly Token[]
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  private get token(): Token {
    const token = this.tokens[this.at] ?? this.tokens.at(-1)
    return token ?? { kind: 'end', from: 0, to: 0, value: '' }
  }

  private take() {
    const { token } = this
    this.at += 1
    return token
  }

  private takeIf(operator: string) {
    const { kind, value } = this.token
    if (kind !== 'operator' || value !== operator) return false
    this.at += 1
    return true
  }

  private expect(operator: string) {
    const { token } = this
    if (this.takeIf(operator)) return token
    if (token.kind === 'end') return refuse('unexpected_end', { from: token.from, to: token.to })
    return refuse('expected', token, { expected: operator, found: token.value })
  }

  private made<T extends FormulaNode>(node: T): T {
    this.nodes += 1
    if (this.nodes > limits.nodes) refuse('too_many_parts', node, { most: limits.nodes })
    return node
  }

  end() {
    const { token } = this
    if (token.kind !== 'end') refuse('unexpected', token, { found: token.value })
  }

  /** Parses operators with a precedence above `least`; 0 is a whole expression, with conditions. */
  expression(least: number): FormulaNode {
    this.depth += 1
    if (this.depth > limits.depth) refuse('too_deep', this.token, { most: limits.depth })
    let left = this.operand()
    for (;;) {
      const operator = this.operatorHere()
      if (operator === undefined || strengths[operator] <= least) break
      this.at += 1
      // `^` is right-associative.
      const right = this.expression(strengths[operator] - (operator === '^' ? 1 : 0))
      left = this.made({
        kind: 'binary',
        operator,
        left,
        right,
        from: left.from,
        to: right.to,
      })
    }
    if (least === 0 && this.takeIf('?')) left = this.condition(left)
    this.depth -= 1
    return left
  }

  private condition(test: FormulaNode): FormulaNode {
    const yes = this.expression(0)
    this.expect(':')
    const no = this.expression(0)
    return this.made({ kind: 'condition', test, yes, no, from: test.from, to: no.to })
  }

  private operatorHere(): BinaryOperator | undefined {
    const { kind, value } = this.token
    if (kind !== 'operator' && kind !== 'word') return undefined
    const name = Object.hasOwn(spelled, value) ? spelled[value] : value
    return Object.hasOwn(strengths, name ?? '') ? (name as BinaryOperator) : undefined
  }

  private operand(): FormulaNode {
    const token = this.take()
    const { kind, value, from, to } = token
    switch (kind) {
      case 'number':
        return this.made({ kind: 'literal', value: Number(value), from, to })
      case 'text':
        return this.made({ kind: 'literal', value, from, to })
      case 'path':
        return this.made({ kind: 'path', path: value, from, to })
      case 'word':
        return this.word(token)
      case 'operator':
        return this.prefixed(token)
      case 'end':
        return refuse('unexpected_end', { from, to })
    }
  }

  private word({ value, from, to }: Token): FormulaNode {
    if (value === 'not') return this.unary('not', from)
    if (value === 'and' || value === 'or')
      return refuse('unexpected', { from, to }, { found: value })
    const literal = literals.get(value)
    if (literal !== undefined) return this.made({ kind: 'literal', value: literal, from, to })
    if (!this.takeIf('(')) return this.made({ kind: 'path', path: value, from, to })
    const args: FormulaNode[] = []
    if (!this.isAt(')'))
      do args.push(this.expression(0))
      while (this.takeIf(','))
    const end = this.expect(')')
    return this.made({ kind: 'call', name: value, args, from, to: end.to })
  }

  private isAt(operator: string) {
    return this.token.kind === 'operator' && this.token.value === operator
  }

  private prefixed({ value, from, to }: Token): FormulaNode {
    if (value === '-' || value === '+') return this.unary(value, from)
    if (value === '!') return this.unary('not', from)
    if (value !== '(') return refuse('unexpected', { from, to }, { found: value })
    const inside = this.expression(0)
    this.expect(')')
    return inside
  }

  private unary(operator: '-' | '+' | 'not', from: number): FormulaNode {
    const operand = this.expression(operator === 'not' ? notStrength : signStrength)
    return this.made({ kind: 'unary', operator, operand, from, to: operand.to })
  }
}
