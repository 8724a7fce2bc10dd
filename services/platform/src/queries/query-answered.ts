import { failure } from '@longreach/kit/errors'
import type { Point } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import type { Plan } from './query-plan.ts'
import { type Found, withFields } from './query-source.ts'

/** Some columns of one device as they are answered; rows are read when they are asked for. */
export type Answered = {
  deviceId: string
  modelPath: string
  tagName: string | undefined
  types: string[]
  header: string[]
  /** The first column is a time. */
  rows: () => AsyncIterable<unknown[][]>
}

/** The columns of one path: a time, its value and, where it is asked for, its quality. */
export const columnsOf = (type: string, quality: boolean) => ({
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

/** A refusal that says what to ask for instead. */
export const tooLarge = (field: string, message: string) =>
  failure(platformContract, 'too_large', { message, field })

/** What the answered values are: a count is whole, an average is not. */
export function typeOf({ grid, window }: Plan, { type }: Found): Found['type'] {
  const figure = window?.figure ?? grid?.figure
  if (!figure) return type
  if (figure.name === 'count') return 'integer'
  return figure.name === 'first' || figure.name === 'last' ? type : 'double'
}

/** Rows with those fields of structs only that are asked for. */
export async function* withAskedFields(
  rows: AsyncIterable<unknown[][]>,
  { structFields }: Plan,
): AsyncIterable<unknown[][]> {
  if (!structFields) return yield* rows
  for await (const page of rows) {
    yield page.map((row) => row.map((value) => withFields(value, structFields)))
  }
}
