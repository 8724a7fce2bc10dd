import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { GroupServer, ServerGroup } from '../server-group.ts'
import type { Findings } from './findings.ts'

/** Longest time that a server or the database may need to work again beside other trouble. */
const longestMs = 120_000

/** Ways back to work: a server that is started until it runs, a database that is asked until it stores. */
export function recoveryOf({ servers, connection }: ServerGroup, findings: Findings) {
  const pool = new pg.Pool({ ...connection, max: 1, connectionTimeoutMillis: 2_000 })
  pool.on('error', () => undefined) // the database is killed on purpose
  const isStored = () =>
    pool.query("select pg_logical_emit_message(true, 'trouble', 'over')").then(
      () => true,
      () => false, // not yet
    )
  return {
    async restart(server: GroupServer) {
      const name = `server ${servers.indexOf(server)}`
      const until = Date.now() + longestMs
      for (;;) {
        const failed = await server.restart().then(
          () => undefined,
          (error: unknown) => String(error),
        )
        if (failed === undefined) return
        findings.count('starts that failed')
        findings.say(`${name} did not start: ${failed.slice(-300)}`)
        if (Date.now() > until) return findings.fault(`${name} does not start: ${failed}`)
        await wait(1_000)
      }
    },
    async stores() {
      const until = Date.now() + longestMs
      while (!(await isStored())) {
        if (Date.now() > until) return findings.fault('the database does not store again')
        await wait(200)
      }
    },
    close: () => pool.end(),
  }
}
