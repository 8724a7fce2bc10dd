import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'

/** Namespace of the advisory locks of living processes. */
export const holderLocks = 7004

/**
 * Identity of this process among those that run jobs. It holds an advisory lock over one
 * connection: when the process ends, PostgreSQL releases the lock and other processes take over its
 * jobs at once.
 */
export function createJobHolder(pool: Pool) {
  const number = randomInt(1, 2 ** 31)
  let holding: Promise<{ giveBack: () => void }> | undefined

  const take = async () => {
    const connection = await pool.connect()
    try {
      const { rows } = await connection.query<{ got: boolean }>(
        'select pg_try_advisory_lock($1, $2) as got',
        [holderLocks, number],
      )
      if (rows[0]?.got !== true) throw new Error('an older connection still holds the lock')
    } catch (error) {
      connection.release(true)
      throw error
    }
    let isOut = true
    /** Returns the connection to the pool once, also when it breaks while closing. */
    const giveBack = () => {
      if (isOut) connection.release(true)
      isOut = false
    }
    connection.once('error', () => {
      holding = undefined
      giveBack()
    })
    return { giveBack }
  }
  return {
    number,
    /** Holds the lock, over a new connection when the old one broke. */
    async hold() {
      holding ??= take().catch((error: unknown) => {
        holding = undefined
        throw error
      })
      await holding
    },
    async close() {
      const held = await holding?.catch(() => undefined) // the caller who waited got the error
      holding = undefined
      held?.giveBack()
    },
  }
}
export type JobHolder = ReturnType<typeof createJobHolder>
