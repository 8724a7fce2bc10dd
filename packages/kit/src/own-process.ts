import { randomInt } from 'node:crypto'
import os from 'node:os'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { lockText } from './locks.ts'
import { startRounds } from './rounds.ts'

/** Namespace of the advisory locks of living processes. */
export const processLocks = 7004

/** Interval at which a process writes that it works. */
const beatMs = 5_000
/** Time without a beat after which a process that still holds its lock is taken for hanging: three beats. */
const hangsAfter = '15 seconds'
/** Time for which the row of a dead process is kept. */
const keptFor = '1 day'

/** Another process runs the service, and the two cannot talk to each other. */
export class UnreachableProcess extends Error {
  override name = 'UnreachableProcess'
  constructor(service: string) {
    super(
      `Another process runs the service ${service} on this database, and it and this process cannot talk to ` +
        'each other. Set NATS_URL to the same servers at both, or run the service in one process.',
    )
  }
}

type About = { services: readonly string[]; version: string }

/**
 * This process among all on the database. It holds an advisory lock over one connection: when the
 * process ends, PostgreSQL releases the lock, and others take over what it held.
 */
export function createOwnProcess(pool: Pool) {
  const number = randomInt(1, 2 ** 31)
  let about: About | undefined
  let holding: Promise<Held> | undefined
  /** Services that this process has joined, and whether it reaches their other processes. */
  const joined = new Map<string, boolean>()

  const take = async () => {
    const connection = await pool.connect()
    const held = heldOver(connection)
    try {
      // Before the lock: others that see the lock see a fresh beat.
      if (about) await writeBeat(connection, number, about)
      const { rows } = await connection.query<{ got: boolean }>(
        'select pg_try_advisory_lock($1, $2) as got',
        [processLocks, number],
      )
      if (rows[0]?.got !== true) throw new Error('an older connection still holds the lock')
      for (const [service, reaches] of joined)
        if (!(await held.join(service, reaches))) throw new UnreachableProcess(service)
    } catch (error) {
      held.giveBack()
      throw error
    }
    connection.once('error', () => {
      holding = undefined
      held.giveBack()
    })
    return held
  }
  /** Holds the lock, over a new connection when the old one broke. */
  const hold = async () => {
    holding ??= take().catch((error: unknown) => {
      holding = undefined
      throw error
    })
    return holding
  }
  const beat = async () => {
    const held = await hold()
    if (about) await writeBeat(held.connection, number, about)
    if (await held.leads('kit.processes')) await endHanging(held.connection)
  }
  return {
    /** Number of its lock and of its row in `bus.process`; another one after each start. */
    number,
    hold: async () => {
      await hold()
    },
    /**
     * True when this process leads a work (`platform.lines`), which one process does for all. It leads until
     * it ends or loses its connection; then another one that asks leads.
     */
    leads: async (work: string) => (await hold()).leads(work),
    /** Writes down that it is there, and from now on every five seconds that it still works. */
    async announce(what: About, failed: (error: unknown) => void) {
      about = what
      await beat()
      return startRounds(beatMs, beat, failed)
    },
    /**
     * Takes its place among the processes of a service that reach each other, or the only one. Throws
     * `UnreachableProcess` when another one runs and one of the two has no way to the other.
     */
    async join(service: string, { reaches }: { reaches: boolean }) {
      const held = await hold()
      if (!(await held.join(service, reaches))) throw new UnreachableProcess(service)
      joined.set(service, reaches)
    },
    /** True when no other living process runs the service. */
    isAlone: async (service: string) => (await countOthers(await hold(), number, service)) === 0,
    async close() {
      const held = await holding?.catch(() => undefined) // the caller who waited got the error
      holding = undefined
      held?.giveBack()
    },
  }
}
export type OwnProcess = ReturnType<typeof createOwnProcess>

type Held = ReturnType<typeof heldOver>

/** Locks that a process holds over one connection: its own, and those of the works that it leads. */
function heldOver(connection: PoolClient) {
  const led = new Set<string>()
  let isOut = true
  return {
    connection,
    async leads(work: string) {
      if (led.has(work)) return isOut
      const { rows } = await connection.query<{ got: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
        [lockText('kit.leader', [work])],
      )
      if (rows[0]?.got === true) led.add(work)
      return led.has(work)
    },
    /** Shares the service's lock with others that reach each other, or holds it alone. */
    async join(service: string, reaches: boolean) {
      const kind = reaches ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
      const { rows } = await connection.query<{ got: boolean }>(
        `select ${kind}(hashtextextended($1, 0)) as got`,
        [lockText('kit.joined', [service])],
      )
      return rows[0]?.got === true
    },
    /** Returns the connection to the pool once, also when it breaks while closing. */
    giveBack() {
      if (isOut) connection.release(true)
      isOut = false
    },
  }
}

const writeBeat = (connection: PoolClient, number: number, { services, version }: About) =>
  connection.query(
    `insert into bus.process (number, name, version, services) values ($1, $2, $3, $4)
     on conflict (number) do update set beat = now()`,
    [number, `${os.hostname()}:${process.pid}`, version, services],
  )

async function countOthers({ connection }: Held, number: number, service: string) {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::int as count from bus.process p
     where p.number <> $1 and $2 = any(p.services)
       and exists (select from pg_locks held where ${lockOf('p.number')})`,
    [number, service],
  )
  return rows[0]?.count ?? 0
}

/**
 * Ends the connections over which hanging processes hold their locks, and deletes rows of processes that
 * are dead for a day.
 */
async function endHanging(connection: PoolClient) {
  await connection.query(
    `select pg_terminate_backend(held.pid) from bus.process p join pg_locks held on ${lockOf('p.number')}
     where p.beat < now() - interval '${hangsAfter}'`,
  )
  await connection.query(
    `delete from bus.process p where p.beat < now() - interval '${keptFor}'
     and not exists (select from pg_locks held where ${lockOf('p.number')})`,
  )
}

/** SQL condition: row `held` of `pg_locks` is the lock of this process. */
const lockOf = (number: string) =>
  `held.locktype = 'advisory' and held.classid = ${processLocks}::oid and held.objid = ${number}::oid
   and held.objsubid = 2 and held.granted
   and held.database = (select oid from pg_database where datname = current_database())`

/** SQL condition as text: the process with this number, an SQL expression, has ended. */
export const processIsGoneText = (number: string) =>
  `not exists (select from pg_locks held where ${lockOf(number)})`

/** SQL condition: the process with this number, an SQL expression, has ended. */
export const processIsGone = (number: string): RawBuilder<boolean> =>
  sql.raw(processIsGoneText(number))

/** Makes the table of processes. */
export const createProcesses = (db: QueryExecutorProvider) =>
  sql`create table if not exists bus.process (
    number int primary key, name text not null, version text not null, services text[] not null,
    began timestamptz not null default now(), beat timestamptz not null default now())`.execute(db)
