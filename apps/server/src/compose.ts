import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type Connection, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchAny, fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets, masterKey } from '@longreach/kit/secrets'
import { openNatsWire } from '@longreach/kit/nats-wire'
import { missedEvents } from '@longreach/kit/event-loops'
import { serve, type ServeOptions } from '@longreach/kit/serve'
import type { Authorizer, Site } from '@longreach/kit/service'
import { pino } from 'pino'
import { apiKeyVerifier } from './api-keys.ts'
import { apiPage } from './api-page.ts'
import { cachedAuthorizer } from './authorizer.ts'
import { endedSessions, recentlyEnded } from './ended-sessions.ts'
import { portalFiles } from './portal-files.ts'
import { chosenServices, elsewhere } from './services.ts'
import type { Settings } from './settings.ts'
import { createServerTokens, type PersonOfRealm, tokenVerifier } from './tokens.ts'

export type Composed = Awaited<ReturnType<typeof compose>>

type Beside = {
  share?: boolean
  portal?: Promise<void>
  /** Addresses of services in other processes; by default those of the environment. */
  others?: Record<string, string>
}

/**
 * Whole server before it listens: database, services, portal. With `share` it can run beside
 * another one on the same data folder, for console commands; pages are answered after `portal` has
 * ended.
 */
export async function compose(
  settings: Settings,
  { share = false, portal, others = elsewhere(process.env) }: Beside = {},
) {
  await mkdir(settings.dataDir, { recursive: true })
  const log = pino({ level: settings.logLevel })
  const secrets = createSecrets(await masterKey(settings.dataDir, settings.masterKey))
  const site = siteOf(settings)
  const onExit = (code: number | null) =>
    log.error({ code }, 'the database ended; it is started again')
  // Services are loaded while the database starts, which takes about as long.
  const services = chosenServices(settings.services, settings, others)
  services.catch(() => undefined) // reported where it is awaited, or after an earlier failure
  const server = await databaseOf(settings, { share, onExit })
  const database = openDatabase(server.connection, (error) =>
    log.warn(error, 'a database connection was lost'),
  )
  const tokens = createServerTokens(secrets)
  const ended = endedSessions(recentlyEnded(database.db), (error) =>
    log.error(error, 'ended sessions could not be read'),
  )
  const forgetters: (() => void)[] = []
  const { app, contracts, settle, start } = await serve(await services, {
    db: database.db,
    pool: database.pool,
    secrets,
    site,
    logger: { level: settings.logLevel },
    serviceToken: tokens.ofService,
    authenticate: (fetch, fabric) => {
      const keys = apiKeyVerifier(fetch, fabric)
      forgetters.push(keys.forget)
      return tokenVerifier({
        secrets,
        site,
        fetch,
        hasEnded: ended.has,
        apiKeys: keys.verify,
        keycloak: settings.keycloak,
      })
    },
    admit: (fetch): Authorizer => {
      const authorizer = cachedAuthorizer(fetch)
      forgetters.push(authorizer.forget)
      return authorizer.admit
    },
    onEvent: (topic) => {
      if (topic.startsWith('core.') || topic === missedEvents)
        for (const forget of forgetters) forget()
      ended.hear(topic)
    },
    elsewhere: others,
    ...(share ? { isCommand: true } : wireOf(settings)),
  }).catch(async (error: unknown) => {
    await database.close()
    await server.stop()
    throw error
  })
  apiPage(app, contracts)
  await portalFiles(app, site, settings, portal)
  await app.ready()
  await ended.read()
  return {
    app,
    site,
    settle,
    start,
    log,
    database,
    /** `fetch` with the token of a service. */
    fetchAsService: async () =>
      fetchAny(app, others, { authorization: `Bearer ${await tokens.ofService('server')}` }),
    /** `fetch` with the token of a person, for work at the first start. */
    fetchAsPerson: async (person: PersonOfRealm) =>
      fetchOf(app, undefined, { authorization: `Bearer ${await tokens.ofPerson(person)}` }),
    async close() {
      await app.close()
      await database.close()
      await server.stop()
    },
  }
}

/** Way to the other processes, where there may be some. */
const wireOf = ({ nats }: Settings): Pick<ServeOptions, 'wire'> =>
  nats ? { wire: (instance, log) => openNatsWire({ settings: nats, instance, log }) } : {}

const siteOf = (settings: Settings): Site => ({
  origin: settings.publicUrl ?? `http://localhost:${settings.port}`,
  dataDir: settings.dataDir,
  mqttPort: settings.mqttPort,
  trustedProxies: settings.trustedProxies,
  outside: settings.outside,
  ...(settings.mail && { mail: settings.mail }),
  ...(settings.registration && { registration: settings.registration }),
})

type DatabaseServer = { connection: Connection; stop: () => Promise<void> }

async function databaseOf(
  { databaseUrl, dataDir }: Settings,
  options: { share: boolean; onExit: (code: number | null) => void },
): Promise<DatabaseServer> {
  if (databaseUrl !== undefined) {
    return { connection: { connectionString: databaseUrl }, stop: () => Promise.resolve() }
  }
  return startPostgres({ dataDir: path.join(dataDir, 'postgres'), ...options })
}
