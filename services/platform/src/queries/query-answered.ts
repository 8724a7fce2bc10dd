import { failure } from '@longreach/kit/errors'
import type { Point } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import type { Plan } from './query-plan.ts'
import { type Found, withFields } from './query-source.ts'

/** Answered columns of one device; rows are read on demand. */
export type Answered = {
  deviceId: string
  modelPath: string
  tagName: string | undefined
  types: string[]
  header: string[]
  /** The first column is a time. */
  rows: () => AsyncIterable<unknown[][]>
}

/** Columns of one path: time, value and, on request, quality. */
export const answerColumns = (type: string, quality: boolean) => ({
  types: ['datetime', type, ...(quality ? ['integer'] : [])],
  header: ['timestamp', 'value', ...(quality ? ['quality'] : [])],
})

/** Points as the rows of such columns. */
export async function* pointRows(
  pages: AsyncIterable<Point[]>,
  quality: boolean,
): AsyncIterable<unknown[][]> {
  for await (const page of pages)
    yield page.map(quality ? ({ t, v, q }) => [t, v, q] : ({ t, v }) => [t, v])
}

/** Refusal of a query, with advice. */
export const queryTooLarge = (field: string, message: string) =>
  failure(platformContract, 'too_large', { message, field })

/** Type of the answered values: a count is an integer, an average is not. */
export function typeOf({ grid, window }: Plan, { type }: Found): Found['type'] {
  const figure = window?.figure ?? grid?.figure
  if (!figure) return type
  if (figure.name === 'count') return 'integer'
  return figure.name === 'first' || figure.name === 'last' ? type : 'double'
}

/** Rows with only the requested fields of structs. */
export async function* withAskedFields(
  rows: AsyncIterable<unknown[][]>,
  { structFields }: Plan,
): AsyncIterable<unknown[][]> {
  if (!structFields) return yield* rows
  for await (const page of rows) {
    yield page.map((row) => row.map((value) => withFields(value, structFields)))
  }
}
