import { laneBefore } from '@longreach/kit/lanes'
import pg from 'pg'
import { takenMs } from '../growth/processor.ts'

/** Counters since the start of a group. */
type Counted = {
  at: number
  statements: Map<string, number>
  messages: number
  bytes: number
  cpuMs: number
}

type Options = {
  connection: pg.ClientConfig
  /** Port of the NATS server's figures. */
  natsMonitor: number
  pids: () => number[]
}
type Varz = { in_msgs: number; in_bytes: number }

/** Counters of PostgreSQL (pg_stat_statements), of the one NATS server, and of the servers' processor time. */
export async function openCounters({ connection, natsMonitor, pids }: Options) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  return {
    async read(): Promise<Counted> {
      const { rows } = await client.query<{ query: string; calls: string }>(
        `select query, sum(calls) as calls from pg_stat_statements
         where query not like '%pg_stat_statements%' and query not like '%bench counts%' group by query`,
      )
      const response = await fetch(`http://127.0.0.1:${natsMonitor}/varz`)
      const { in_msgs: messages, in_bytes: bytes } = (await response.json()) as Varz
      return {
        at: performance.now(),
        statements: new Map(rows.map(({ query, calls }) => [query, Number(calls)])),
        messages,
        bytes,
        cpuMs: takenMs(pids()),
      }
    },
    /** True when every consumer has seen all events. */
    async areEventsSeen() {
      const { rows } = await client.query<{ waits: boolean }>(
        `select exists (/* bench counts */ select from bus.event e join bus.cursor c using (topic)
           where e.id > c.seen[e.lane + ${1 - laneBefore}] or e.id < 0) as waits`,
      )
      return rows[0]?.waits === false
    },
    /** Number of devices with a line that is not lost. */
    async countConnected() {
      const { rows } = await client.query<{ count: number }>(
        'select /* bench counts */ count(*)::int as count from platform.line where lost_at is null',
      )
      return rows[0]?.count ?? 0
    },
    async countLines() {
      const { rows } = await client.query<{ count: number }>(
        'select /* bench counts */ count(*)::int as count from platform.line',
      )
      return rows[0]?.count ?? 0
    },
    close: () => client.end(),
  }
}
export type Counters = Awaited<ReturnType<typeof openCounters>>

/** Counted in a time, a second or a unit of work. */
export type Rates = {
  statements: number
  messages: number
  bytes: number
  cpuMs: number
  byStatement: Map<string, number>
}

/** Counted between two readings for each of `units`, without what idle processes do in that time. */
export function between(from: Counted, to: Counted, units: number, idle?: Rates): Rates {
  const seconds = (to.at - from.at) / 1_000
  const each = (name: 'messages' | 'bytes' | 'cpuMs') =>
    (to[name] - from[name] - (idle?.[name] ?? 0) * seconds) / units
  const byStatement = new Map<string, number>()
  for (const [query, calls] of to.statements) {
    const more = calls - (from.statements.get(query) ?? 0)
    const net = (more - (idle?.byStatement.get(query) ?? 0) * seconds) / units
    if (net !== 0) byStatement.set(query, net)
  }
  return {
    statements: [...byStatement.values()].reduce((sum, one) => sum + one, 0),
    messages: each('messages'),
    bytes: each('bytes'),
    cpuMs: each('cpuMs'),
    byStatement,
  }
}
