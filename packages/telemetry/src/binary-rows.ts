import type pg from 'pg'
import { connected } from './database.ts'

/** Reader of one row in PostgreSQL's binary form; values are read in their order. */
export class BinaryRow {
  private readonly row: Buffer
  private at: number
  constructor(row: Buffer, at: number) {
    this.row = row
    this.at = at
  }

  /** Length of the next value, which begins at `at`; -1 for null. */
  private length() {
    const length = this.row.readInt32BE(this.at)
    this.at += 4
    return length
  }

  /** Next value as `int`; 0 for null. */
  int() {
    if (this.length() < 0) return 0
    this.at += 4
    return this.row.readInt32BE(this.at - 4)
  }

  /** Next value as `float8`. */
  double() {
    if (this.length() < 0) return null
    this.at += 8
    return this.row.readDoubleBE(this.at - 8)
  }

  /** Next value as `bytea`; its memory is reused for the next row. */
  bytes() {
    const length = this.length()
    if (length < 0) return null
    this.at += length
    return this.row.subarray(this.at - length, this.at)
  }

  /** Next value as `int[]` without nulls. */
  ints(): number[] | null {
    return this.items(() => this.int())
  }

  /** Next value as `float8[]` without nulls. */
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
/**
 * Bytes of an array's head: dimensions, null flag and type, then length and first index of each
 * dimension.
 */
const arrayHead = 12
const dimensionHead = 8

/** Bytes before the first row: a signature and two numbers. */
const fileHead = 19

/** Receiver of `copy … to stdout` from the driver: one message for each row. */
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
    // The end is a row with a negative number of values.
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
    // The connection is ready one message later.
  }
}

/**
 * Rows of a query in PostgreSQL's binary form, through `copy`: elsewhere the driver reads bytes as
 * hex text of twice the size. The query takes no parameters.
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
