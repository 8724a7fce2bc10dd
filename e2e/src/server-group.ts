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
export type GroupServer = Longreach & {
  own: string
  /** Starts it again in its folder and on its ports, after it has ended. */
  restart: () => Promise<void>
  /** All that it printed since its first start. */
  printedEver: () => string
}

type Options = {
  /** NATS servers, as one cluster. */
  natsCount?: number
  /** Lines for the file of each NATS server. */
  natsConfig?: string
  /** File that the servers run in place of that of `npm start`, by its path from the top. */
  entry?: string
  /** Settings of the database. */
  settings?: Record<string, string>
  /** Folder of the database and of each server; otherwise it is in the system's folder for short files. */
  folders?: (name: 'database' | `process-${number}`) => Promise<string> | undefined
}

/** Whole servers on one database of their own, which talk to each other over NATS. */
export async function startServerGroup(
  count: number,
  { natsCount = 1, natsConfig = '', entry, settings = {}, folders }: Options = {},
) {
  const made: string[] = []
  const folderOf = async (name: 'database' | `process-${number}`) => {
    const given = await folders?.(name)
    if (given !== undefined) return given
    const folder = await mkdtemp(path.join(os.tmpdir(), `longreach-${name}-`))
    made.push(folder)
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
    const dataDir = await folderOf(`process-${servers.length}`)
    const start = (ports: Record<string, string> = {}) =>
      startLongreach({
        dataDir,
        env: { ...common, PORT, ...more, ...ports },
        ...(entry !== undefined && { entry }),
      })
    const server = await start()
    const before: string[] = []
    const restart = async () => {
      before.push(added.output())
      Object.assign(added, await start({ MQTT_PORT: String(server.mqttPort) }))
    }
    const printedEver = () => [...before, added.output()].join('')
    const own = `http://localhost:${PORT}`
    const added: GroupServer = { ...server, own, restart, printedEver }
    servers.push(added)
    return added
  }
  for (let index = 0; index < count; index += 1) await add()
  return {
    servers,
    add,
    nats,
    connection: postgres.connection,
    /** Process id of the database, for tests that kill it. */
    databasePid: postgres.pid,
    async stop() {
      for (const { stop } of servers) await stop()
      await nats.stop()
      await postgres.stop()
      for (const folder of made) await rm(folder, { recursive: true, force: true })
    },
  }
}
export type ServerGroup = Awaited<ReturnType<typeof startServerGroup>>

/** Port of 127.0.0.1 that nothing listens on. */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
