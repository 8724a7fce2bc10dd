import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'

/** The space of the database's advisory locks in which living processes have theirs. */
export const holderLocks = 7004

/**
 * This process among those that do jobs. It is alive as long as its connection holds a lock of its own:
 * when it ends, however it ends, the database drops the lock, and others go on with its jobs at once.
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
    /** It may break while it is closed, and goes back to the pool once only. */
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
    /** Be alive, again if the connection broke. */
    async hold() {
      holding ??= take().catch((error: unknown) => {
        holding = undefined
        throw error
      })
      await holding
    },
    async close() {
      const held = await holding?.catch(() => undefined) // who waited for it was told
      holding = undefined
      held?.giveBack()
    },
  }
}
export type JobHolder = ReturnType<typeof createJobHolder>
