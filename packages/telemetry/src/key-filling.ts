import type pg from 'pg'
import { codeOf } from './database.ts'
import {
  buildIndex,
  checkFilled,
  dropReplaced,
  fillSome,
  keyWorks,
  progressOf,
  rowsOf,
  sameKeys,
  setStep,
  takeKey,
  vacuum,
  type KeyWork,
} from './key-steps.ts'
import type { Keys } from './keys.ts'

type KeyFillingOptions = {
  pool: pg.Pool
  keys: Keys
  /** Merges chunks of some series, or bundles of some slots; nothing else moves values meanwhile. */
  merge: (table: 'chunk' | 'bundle', ids: number[]) => Promise<void>
  warn: (error: unknown) => void
}

const lock = 7_210_546
const lookMs = 1000
/** Seconds until every process knows that a key has been replaced; they look each second. */
const restSeconds = 10
/** Length of a batch that is aimed at, and limits of its rows. */
const batchMs = 40
const fewestRows = 200
const mostRows = 5000
/** Share of a table after whose filling the space of the rows before is made usable. */
const vacuumShare = 0.05
const vacuumRows = 100_000
const mergedAtOnce = 32
const lockNotGot = '55P03'

/**
 * Gives tables of an earlier version their keys by slot, in batches beside writers and readers. One process
 * does it; where it is killed, another goes on from the progress in `telemetry.migration`.
 */
export class KeyFilling {
  private running: Promise<void> = Promise.resolve()
  private stopped = false
  private endPause: (() => void) | undefined
  private backend: number | undefined
  private rows = fewestRows
  private readonly options: KeyFillingOptions
  constructor(options: KeyFillingOptions) {
    this.options = options
  }

  start() {
    if (!this.options.keys.complete) this.running = this.run()
  }

  /** Ends after the present batch; the building of an index is given up, and begun anew by the next process. */
  async stop() {
    this.stopped = true
    this.endPause?.()
    if (this.backend !== undefined)
      await this.options.pool
        .query(`select pg_cancel_backend($1)`, [this.backend])
        .catch(() => undefined) // without a connection the other one has ended too
    await this.running
  }

  private async run() {
    const { keys, warn } = this.options
    while (!this.stopped) {
      try {
        await this.work()
        await keys.load()
      } catch (error) {
        if (!this.stopped) warn(error)
      }
      if (keys.complete) return
      await this.pause(lookMs)
    }
  }

  private async pause(ms: number) {
    if (this.stopped) return
    await new Promise<void>((done) => {
      const timer = setTimeout(done, ms)
      this.endPause = () => {
        clearTimeout(timer)
        done()
      }
    })
  }

  /** Works while this process has the lock, on a connection that ends with it. */
  private async work() {
    const client = await this.options.pool.connect()
    client.on('error', () => undefined) // the statement under way is rejected with it
    try {
      const { rows } = await client.query<{ mine: boolean; pid: number }>(
        `select pg_try_advisory_lock($1) as mine, pg_backend_pid() as pid`,
        [lock],
      )
      if (!rows[0]?.mine) return
      this.backend = rows[0].pid
      for (const work of keyWorks) await this.finish(client, work)
    } finally {
      this.backend = undefined
      client.release(true) // not used again: it has the lock, and may still be cancelled
    }
  }

  private async finish(client: pg.PoolClient, work: KeyWork) {
    while (!this.stopped) {
      const { step, age } = await progressOf(client, work.table)
      if (step === 'done') return
      if (step === 'rest' && age < restSeconds) return
      try {
        await this.take(client, work, step)
      } catch (error) {
        if (codeOf(error) !== lockNotGot) throw error
        await this.pause(lookMs)
      }
      await this.options.keys.load()
    }
  }

  private async take(client: pg.PoolClient, work: KeyWork, step: string) {
    const { table } = work
    if (step === 'fill') {
      await this.fill(client, work)
      if (!this.stopped) await setStep(client, table, 'check')
    } else if (step === 'check') {
      const filled = !work.fill || (await checkFilled(client, work))
      if (filled && (table === 'chunk' || table === 'bundle')) await this.mergeSame(client, table)
      await setStep(client, table, filled ? 'index' : 'fill')
    } else if (step === 'index')
      await setStep(client, table, (await buildIndex(client, work)) ? 'key' : 'check')
    else if (step === 'key') await takeKey(client, work)
    else {
      await dropReplaced(client, work)
      await setStep(client, table, 'done')
    }
  }

  /** Fills for at most half of the time, so that the server has the other half. */
  private async fill(client: pg.PoolClient, work: KeyWork) {
    const enough = Math.max(vacuumRows, (await rowsOf(client, work.table)) * vacuumShare)
    let since = 0
    while (!this.stopped) {
      const begun = performance.now()
      const count = await fillSome(client, work, this.rows)
      if (count === 0) return
      const tookMs = performance.now() - begun
      const wanted = this.rows * Math.min(2, Math.max(0.5, batchMs / tookMs))
      this.rows = Math.round(Math.min(mostRows, Math.max(fewestRows, wanted)))
      since += count
      if (since >= enough) {
        await vacuum(client, work.table)
        since = 0
      }
      await this.pause(tookMs)
    }
  }

  /** Merges what an earlier version may have written twice, because keys are unique. */
  private async mergeSame(client: pg.PoolClient, table: 'chunk' | 'bundle') {
    const ids = await sameKeys(client, table)
    for (let from = 0; from < ids.length && !this.stopped; from += mergedAtOnce)
      await this.options.merge(table, ids.slice(from, from + mergedAtOnce))
  }
}
