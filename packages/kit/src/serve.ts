import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { assemble } from './assemble.ts'
import { client } from './client.ts'
import type { Contract } from './contract.ts'
import { createBodyRoom } from './body-room.ts'
import { migrated } from './database.ts'
import { startBusUpkeep } from './bus-upkeep.ts'
import { addCursors, busChannel, createBus, deliver } from './events.ts'
import { fetchOf } from './fetch-of.ts'
import { createApp } from './http-app.ts'
import type { HttpLimits } from './http-server.ts'
import { createJobHolder } from './job-holder.ts'
import { createJobRunner, type JobRunner } from './job-runner.ts'
import { createJobs } from './job-store.ts'
import { openapiOf } from './openapi.ts'
import { refusals } from './refusals.ts'
import { addRoutes } from './routes.ts'
import type { Secrets } from './secrets.ts'
import { createTurns } from './turns.ts'
import type { AnyService, Authorizer, Caller, Running, Site } from './service.ts'

export type ServeOptions = {
  db: Kysely<unknown>
  pool: Pool
  secrets: Secrets
  site: Site
  /**
   * Made with the server's own `fetch`, so that authentication and authorization can call its
   * services.
   */
  authenticate: (
    fetch: typeof globalThis.fetch,
  ) => (token: string, ip?: string) => Promise<Caller | undefined>
  admit: (fetch: typeof globalThis.fetch) => Authorizer
  /** Bearer token with which service `name` calls the services that it needs. */
  serviceToken: (name: string) => string | Promise<string>
  /** Base URLs of services in other processes. */
  elsewhere?: Record<string, string>
  now?: () => Date
  /** Window in which equal refused attempts become one audit entry with a count. */
  refusalWindowMs?: number
  logger?: FastifyServerOptions['logger']
  /** Limits that tests lower. */
  limits?: Partial<HttpLimits>
  /**
   * Called with each event's topic once it can be consumed; for an event of a call in this process,
   * before the call is answered.
   */
  onEvent?: (topic: string) => void
}

/** Composes services into one HTTP app: all in one process, or some in each. */
export async function serve(services: readonly AnyService[], options: ServeOptions) {
  const app = createApp(options)
  await createBus(options.db)
  await createJobs(options.db)
  const now = options.now ?? (() => new Date())
  const serverFetch = await fetchAs(app, options, 'server')
  const authenticate = options.authenticate(serverFetch)
  const admit = options.admit(serverFetch)
  const onError = (error: unknown) => app.log.error(error, 'the audit trail could not be written')
  const noted = refusals(options.db, onError, options.refusalWindowMs)
  app.addHook('onClose', () => noted.close())
  const holder = createJobHolder(options.pool)
  app.addHook('onClose', () => holder.close())
  const trail = { db: options.db, refusals: noted, onError }
  const gate = {
    authenticate,
    admit,
    now,
    trail,
    rooms: createBodyRoom(),
    turns: createTurns(),
    ...(options.onEvent && { hear: options.onEvent }),
  }
  const deliveries: (() => Promise<void>)[] = []
  const starts: (() => Promise<Running>)[] = []
  const runners: JobRunner[] = []
  for (const service of services) {
    const contract: Contract = service.contract
    const db = await migrated(options.db, contract.service, service.migrations)
    const { pool, secrets, site } = options
    const log = app.log.child({ service: contract.service })
    const clients = await clientsOf(service, app, options)
    const deps = { db, pool, clients, secrets, site, log, authenticate, admit, now }
    const { handlers, consumers, jobs: kinds, mount, start, close } = assemble(service, deps)
    app.addHook('onClose', close)
    addRoutes(app, contract, handlers, gate)
    await mount(app)
    await addCursors(db, contract.service, consumers)
    deliveries.push(() => deliver(db, contract.service, consumers))
    if (kinds.length > 0) {
      const about = { service: contract.service, kinds, admit, now, log, holder }
      runners.push(createJobRunner({ db: options.db, ...about }))
    }
    starts.push(start)
  }
  const contracts = services.map(({ contract }): Contract => contract)
  addOpenapi(app, services)
  const settle = async () => {
    await noted.written()
    for (const run of deliveries) await run()
  }
  const work = async () => {
    await settle()
    for (const runner of runners) await runner.wake()
  }
  return {
    app,
    contracts,
    /** Delivers waiting events and runs waiting jobs until there are none. */
    settle: () => settleAll(settle, runners),
    start: () => startAll(starts, { work, runners }, app, options),
  }
}

async function settleAll(settle: () => Promise<void>, runners: readonly JobRunner[]) {
  for (let worked = true; worked;) {
    await settle()
    worked = false
    for (const runner of runners) if (await runner.settle()) worked = true
  }
}

/** Adds one OpenAPI document for each base path, made at the first request. */
function addOpenapi(app: FastifyInstance, services: readonly AnyService[]) {
  for (const [base, sharing] of Map.groupBy(services, ({ contract }) => contract.base)) {
    let made: object | undefined
    app.get(`${base}/openapi.json`, () => (made ??= documentOf(base, sharing)))
  }
}

const documentOf = (base: string, services: readonly AnyService[]) =>
  openapiOf(
    base,
    services.map(({ contract }) => contract),
    services.flatMap(({ needs }) => Object.values(needs)),
  )

/**
 * Starts the background work of all services, then delivers events as the database announces them.
 */
async function startAll(
  starts: (() => Promise<Running>)[],
  { work, runners }: { work: () => Promise<void>; runners: readonly JobRunner[] },
  app: FastifyInstance,
  { db, pool, onEvent }: ServeOptions,
): Promise<Running> {
  const running: Running[] = []
  for (const start of starts) running.push(await start())
  const delivery = deliverOnNews(pool, work, app, onEvent)
  const upkeep = startBusUpkeep(db, (error) => app.log.error(error, 'old events could not go'))
  return {
    async close() {
      await delivery.close()
      for (const runner of runners) await runner.close()
      await upkeep.close()
      for (const one of running.toReversed()) await one.close()
    },
  }
}

/** Topic that stands for any event: the connection for announcements was interrupted. */
export const missedEvents = '*'

function deliverOnNews(
  pool: Pool,
  settle: () => Promise<void>,
  app: FastifyInstance,
  onEvent: ((topic: string) => void) | undefined,
): Running {
  let closed = false
  let busy = Promise.resolve()
  let waiting = false
  const run = () => {
    if (waiting || closed) return
    waiting = true
    busy = busy.then(async () => {
      waiting = false
      await settle().catch((error: unknown) =>
        app.log.error(error, 'events could not be delivered'),
      )
    })
  }
  let listener: { release: (destroy?: boolean) => void } | undefined
  const drop = (connection: typeof listener) => {
    if (!connection || listener !== connection) return
    listener = undefined
    connection.release(true)
  }
  const listen = async () => {
    if (listener || closed) return
    const connection = await pool.connect()
    if (closed || listener) return connection.release(true)
    listener = connection
    connection.on('error', () => drop(connection)) // the next tick connects again
    connection.on('notification', ({ payload }) => {
      onEvent?.(payload ?? '')
      run()
    })
    await connection.query(`listen ${busChannel}`).catch((error: unknown) => {
      drop(connection)
      throw error
    })
    // Events during the interruption are not announced again.
    onEvent?.(missedEvents)
  }
  const tick = () => {
    void listen().catch((error: unknown) => app.log.warn(error, 'no connection for events yet'))
    run()
  }
  tick()
  const timer = setInterval(tick, 1_000)
  return {
    async close() {
      closed = true
      clearInterval(timer)
      await busy
      drop(listener)
    },
  }
}

const fetchAs = async (app: FastifyInstance, { serviceToken }: ServeOptions, name: string) =>
  fetchOf(app, undefined, { authorization: `Bearer ${await serviceToken(name)}` })

async function clientsOf(service: AnyService, app: FastifyInstance, options: ServeOptions) {
  const token = await options.serviceToken(service.contract.service)
  const headers = { authorization: `Bearer ${token}` }
  const needs = Object.entries(service.needs)
  return Object.fromEntries(
    needs.map(([key, contract]) => [
      key,
      client(contract, fetchOf(app, options.elsewhere?.[contract.service], headers)),
    ]),
  )
}
