import type pg from 'pg'
import { connected } from './database.ts'

/** The values of a row in PostgreSQL's binary form, to be taken in their order. */
export class BinaryRow {
  private readonly row: Buffer
  private at: number
  constructor(row: Buffer, at: number) {
    this.row = row
    this.at = at
  }

  /** The length of the next value, which begins at `at`; -1 for none. */
  private length() {
    const length = this.row.readInt32BE(this.at)
    this.at += 4
    return length
  }

  /** An `int`; 0 for none. */
  int() {
    if (this.length() < 0) return 0
    this.at += 4
    return this.row.readInt32BE(this.at - 4)
  }

  /** A `float8`. */
  double() {
    if (this.length() < 0) return null
    this.at += 8
    return this.row.readDoubleBE(this.at - 8)
  }

  /** A `bytea`; its memory is used again for the next row. */
  bytes() {
    const length = this.length()
    if (length < 0) return null
    this.at += length
    return this.row.subarray(this.at - length, this.at)
  }

  /** An `int[]` without nulls. */
  ints(): number[] | null {
    return this.items(() => this.int())
  }

  /** A `float8[]` without nulls. */
  doubles(): number[] | null {
    return this.items(() => this.double() ?? 0)
  }

  private items(next: () => number): number[] | null {
    if (this.length() < 0) return null
    const dimensions = this.row.readInt32BE(this.at)
    this.at += arrayHead
    if (dimensions === 0) return []
    const length = this.row.readInt32BE(this.at)
    this.at += dimensionHead
    return Array.from({ length }, next)
  }
}
/** Dimensions, whether there are nulls, and the type; then of each dimension its length and first index. */
const arrayHead = 12
const dimensionHead = 8

/** A signature and two numbers, in front of the first row. */
const fileHead = 19

/** Takes what the driver hands on from a `copy … to stdout`: a message for each row. */
class CopyOut implements pg.Submittable {
  private begun = false
  private failed: Error | undefined
  private readonly text: string
  private readonly take: (row: BinaryRow) => void
  private readonly done: (error?: Error) => void
  constructor(text: string, take: (row: BinaryRow) => void, done: (error?: Error) => void) {
    this.text = text
    this.take = take
    this.done = done
  }

  submit(connection: pg.Connection) {
    connection.query(this.text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }) {
    const at = this.begun ? 0 : fileHead
    this.begun = true
    // The end is a row of less than no values.
    if (this.failed || chunk.readInt16BE(at) < 0) return
    try {
      this.take(new BinaryRow(chunk, at + 2))
    } catch (error) {
      this.failed = error instanceof Error ? error : new Error(String(error))
    }
  }

  handleError(error: Error) {
    this.done(error)
  }

  handleReadyForQuery() {
    this.done(this.failed)
  }

  handleCommandComplete() {
    // The connection is ready a message later.
  }
}

/**
 * The rows of a query in PostgreSQL's binary form, which the driver knows of `copy` only: elsewhere
 * bytes travel as twice as many letters. It takes no parameters.
 */
export const binaryRows = <T>(pool: pg.Pool, query: string, take: (row: BinaryRow) => T) =>
  connected(pool, async (client) => {
    const rows: T[] = []
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error) => (error ? reject(error) : resolve())
      const text = `copy (${query}) to stdout (format binary)`
      client.query(new CopyOut(text, (row) => rows.push(take(row)), done))
    })
    return rows
  })
