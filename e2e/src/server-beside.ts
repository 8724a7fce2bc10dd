import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { type Longreach, startLongreach } from './longreach.ts'

/** Second whole server on the database and with the master key of a running one; both need the same `NATS_URL`. */
export async function startBeside({ dataDir, url }: Longreach, env: { NATS_URL: string }) {
  const folder = path.join(dataDir, 'postgres')
  const { connection } = await startPostgres({ dataDir: folder, share: true })
  const { host, user, database } = connection
  return startLongreach({
    first: true, // a folder without a database of its own
    env: {
      ...env,
      DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
      MASTER_KEY: (await readFile(path.join(dataDir, 'master.key'), 'utf8')).trim(),
      PUBLIC_URL: url,
    },
  })
}
