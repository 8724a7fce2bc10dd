import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { startNats } from '@longreach/kit/nats-testing'
import { type Longreach, startLongreach } from './longreach.ts'

/** Owner of the organization of a group of servers. */
export const owner = {
  username: 'eva',
  password: 'a-long-enough-word',
  organization: 'plant',
}

/** Server of a group; `own` is its own address, where `url` is that of all. */
export type GroupServer = Longreach & { own: string }

type Options = {
  /** NATS servers, as one cluster. */
  natsCount?: number
  /** Lines for the file of each NATS server. */
  natsConfig?: string
  /** Settings of the database. */
  settings?: Record<string, string>
}

/** Whole servers on one database of their own, which talk to each other over NATS. */
export async function startServerGroup(
  count: number,
  { natsCount = 1, natsConfig = '', settings = {} }: Options = {},
) {
  const folders: string[] = []
  const folderOf = async (name: string) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), `longreach-${name}-`))
    folders.push(folder)
    return folder
  }
  const postgres = await startPostgres({ dataDir: await folderOf('database'), settings })
  const nats = await startNats({ count: natsCount, config: natsConfig })
  const addresses = nats.settings.servers.map(({ port }) => `nats://127.0.0.1:${port}`)
  const { host, user, database } = postgres.connection
  const firstPort = await freePort()
  const common = {
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
    NATS_URL: addresses.join(','),
    MASTER_KEY: '7'.repeat(64),
    PUBLIC_URL: `http://localhost:${firstPort}`,
    SETUP_USER: owner.username,
    SETUP_PASSWORD: owner.password,
    SETUP_ORGANIZATION: owner.organization,
  }
  const servers: GroupServer[] = []
  /** Starts one more server, with other settings where they are given. */
  const add = async (more: Record<string, string> = {}) => {
    const PORT = String(servers.length === 0 ? firstPort : await freePort())
    const dataDir = await folderOf('process')
    const server = await startLongreach({ dataDir, env: { ...common, PORT, ...more } })
    const added = { ...server, own: `http://localhost:${PORT}` }
    servers.push(added)
    return added
  }
  for (let index = 0; index < count; index += 1) await add()
  return {
    servers,
    add,
    connection: postgres.connection,
    async stop() {
      for (const { stop } of servers) await stop()
      await nats.stop()
      await postgres.stop()
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Port of 127.0.0.1 that nothing listens on. */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
