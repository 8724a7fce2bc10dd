import type pg from 'pg'
import { codeOf } from './database.ts'
import { slotBits } from './slot.ts'

/** Step of giving a table its key by slot; from `rest` on the key is there. */
export type KeyStep = 'fill' | 'check' | 'index' | 'key' | 'rest' | 'done'
export type KeyedTable = 'chunk' | 'bundle' | 'newest' | 'graded_hour'

const keyTaken = new Set<string>(['rest', 'done'])
const noSuchKey = '42P10'

/**
 * Tables that have their key by slot. Rows of an earlier version are given their slots in the background
 * (`key-filling.ts`); until that is done, statements find rows without it.
 */
export class Keys {
  chunk = false
  newest = false
  graded = false
  /** True when no table has work left. */
  complete = false
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  async load() {
    const { rows } = await this.pool.query<{ name: string; step: string }>(
      `select name, step from telemetry.migration where step is not null`,
    )
    const steps = new Map(rows.map(({ name, step }) => [name, step]))
    const isKeyed = (table: KeyedTable) => keyTaken.has(steps.get(migrationOf(table)) ?? '')
    this.chunk = isKeyed('chunk')
    this.newest = isKeyed('newest')
    this.graded = isKeyed('graded_hour')
    this.complete = rows.every(({ step }) => step === 'done')
  }

  /** Runs work again when another process has changed a key meanwhile. */
  async follow<T>(work: () => Promise<T>): Promise<T> {
    if (this.complete) return work()
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== noSuchKey) throw error
      await this.load()
      return work()
    }
  }
}

/** Name of the row in `telemetry.migration` that has a table's progress. */
export const migrationOf = (table: KeyedTable) => `key of ${table}`

/** SQL condition for the slot of a series, in front of other conditions; empty until rows have slots. */
export const inSlot = (keyed: boolean, row: string, series: string) =>
  keyed ? `${row}.slot = ${series} >> ${slotBits} and` : ''
