import { createTimeSlicer } from '@longreach/kit/time-slices'
import { valueOf } from '@longreach/formula/convert'
import { evaluateRow } from '@longreach/formula/evaluate'
import { FormulaHistory } from '@longreach/formula/history'
import type { Formula } from '@longreach/formula/parse'
import { relativePath } from '@longreach/formula/paths'
import type { FormulaNode } from '@longreach/formula/tree'
import type { Point } from '@longreach/telemetry/store'
import type { Figure } from '@longreach/formula/figures'
import { figuresOfPoints, StepTooLarge } from './query-figures.ts'
import type { Row } from './query-merge.ts'
import type { Window } from './query-window.ts'

type Named = { modelPath: string; tagName?: string | undefined }

/** A column's name in formulas: its tagName, else its path below the model. */
export const nameOf = ({ tagName, modelPath }: Named) => tagName ?? relativePath(modelPath)

type Bound = { ok: true; places: number[] } | { ok: false; message: string }

/** Columns of the variables of a formula. */
export function bindVariables({ variables }: Formula, columns: readonly Named[]): Bound {
  const places: number[] = []
  for (const variable of variables) {
    const fitting = columns.flatMap((column, index) => (nameOf(column) === variable ? [index] : []))
    const [place, another] = fitting
    if (place === undefined) {
      const names = columns.slice(0, 10).map(nameOf).join(', ')
      return {
        ok: false,
        message: `no source is called ${variable}; there are: ${names || 'none'}`,
      }
    }
    if (another !== undefined) {
      return { ok: false, message: `several sources are called ${variable}; give each a tagName` }
    }
    places.push(place)
  }
  return { ok: true, places }
}

/** Results of the formula for each row. */
export async function* applyFormula(
  rows: AsyncIterable<Row[]> | Iterable<Row[]>,
  formula: Formula,
  places: readonly number[],
): AsyncIterable<Point[]> {
  const history = formula.reach.size > 0 ? new FormulaHistory(formula.reach) : undefined
  for await (const page of rows) {
    yield page.map(({ t, values, fresh, q }) => {
      const given = places.map((place) => valueOf(values[place]))
      if (history) {
        for (const [index, place] of places.entries()) {
          // A value that is only continued is not counted again.
          const path = formula.variables[index]
          if (fresh[place] === true && path !== undefined)
            history.add(path, t, given[index] ?? null)
        }
      }
      return { t, v: evaluateRow(formula, given, { t, ...(history && { history }) }), q }
    })
  }
}

type ResultType = 'double' | 'boolean' | 'string'

/** Type of a formula's values, as far as its text shows it. */
export function resultType(node: FormulaNode | undefined): ResultType {
  switch (node?.kind) {
    case 'literal':
      return typesOfLiterals[typeof node.value] ?? 'double'
    case 'unary':
      return node.operator === 'not' ? 'boolean' : 'double'
    case 'binary':
      return typeOfBinary(node)
    case 'condition':
      return resultType(node.yes)
    case 'call':
      return typeOfCall(node)
    default:
      return 'double'
  }
}
const typeOfBinary = ({ operator, left, right }: Extract<FormulaNode, { kind: 'binary' }>) => {
  if (truths.has(operator)) return 'boolean'
  return operator === '+' && (isText(left) || isText(right)) ? 'string' : 'double'
}
const typeOfCall = ({ name, args }: Extract<FormulaNode, { kind: 'call' }>) =>
  name === 'if' ? resultType(args[1]) : (typesOfCalls.get(name) ?? 'double')
const isText = (node: FormulaNode) => resultType(node) === 'string'
const typesOfLiterals: Readonly<Record<string, ResultType>> = {
  string: 'string',
  boolean: 'boolean',
}
const truths = new Set(['and', 'or', '==', '!=', '<', '<=', '>', '>='])
const typesOfCalls: ReadonlyMap<string, ResultType> = new Map([
  ...['text', 'upper', 'lower', 'trim'].map((name) => [name, 'string'] as const),
  ...['bit', 'bool', 'isNull', 'contains', 'startsWith', 'endsWith'].map(
    (name) => [name, 'boolean'] as const,
  ),
])

/** One figure of each stretch, or at each point of the stretch before it. */
export function windowed(
  pages: AsyncIterable<Point[]>,
  window: Window,
  signal?: AbortSignal,
): AsyncIterable<Point[]> {
  return window.mode === 'SCALAR'
    ? figuresOfPoints(pages, window.steps, window.figure)
    : moving(pages, window, signal)
}

/** More values than this in a moving stretch, and each row would cost too much. */
export const mostMoving = 5_000

async function* moving(
  pages: AsyncIterable<Point[]>,
  { width, figure }: Extract<Window, { mode: 'MOVING' }>,
  signal: AbortSignal | undefined,
): AsyncIterable<Point[]> {
  let held: Point[] = []
  const turn = createTimeSlicer()
  for await (const page of pages) {
    const points: Point[] = []
    for (const point of page) {
      const from = held.findIndex(({ t }) => t > point.t - width)
      if (from !== 0) held = from === -1 ? [] : held.slice(from)
      held.push(point)
      if (held.length > mostMoving) throw new StepTooLarge()
      points.push({ t: point.t, v: await figureOfAll(held, figure), q: 0 })
      if (!turn.isLong()) continue
      // The cost of a row grows with its stretch: other work runs meanwhile.
      await turn.next()
      signal?.throwIfAborted()
    }
    yield points
  }
}

async function figureOfAll(held: readonly Point[], figure: Figure): Promise<Point['v']> {
  const [first, last] = [held[0]?.t ?? 0, held.at(-1)?.t ?? 0]
  const pages = (async function* () {
    yield held
  })()
  const steps = { starts: [first], to: Math.max(last, first + 1) }
  for await (const page of figuresOfPoints(pages, steps, figure)) return page[0]?.v ?? null
  return null
}
