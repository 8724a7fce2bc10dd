import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { assemble } from './assemble.ts'
import { client } from './client.ts'
import type { Contract } from './contract.ts'
import { createBodyRoom } from './body-room.ts'
import { migrated } from './database.ts'
import { startBusUpkeep } from './bus-upkeep.ts'
import { type EventLoop, startEventLoops } from './event-loops.ts'
import { addCursors, createBus, deliver } from './events.ts'
import { openEars } from './everywhere.ts'
import { createFabric, type Fabric } from './fabric.ts'
import type { Wire } from './fabric-wire.ts'
import { fetchAny, fetchOf } from './fetch-of.ts'
import { createApp } from './http-app.ts'
import type { HttpLimits } from './http-server.ts'
import { createJobRunner, jobLoop, type JobRunner } from './job-runner.ts'
import { createJobs } from './job-store.ts'
import { withLock } from './locks.ts'
import { requireMasterKey } from './master-key-check.ts'
import { changeOfMonths } from './months.ts'
import { beginSmallMonths, monthlyTablesOf, startMonths } from './months-upkeep.ts'
import { openapiOf } from './openapi.ts'
import { createOwnProcess, createProcesses, type OwnProcess } from './own-process.ts'
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
    fabric: Fabric,
  ) => (token: string, ip?: string) => Promise<Caller | undefined>
  admit: (fetch: typeof globalThis.fetch) => Authorizer
  /** Bearer token with which service `name` calls the services that it needs. */
  serviceToken: (name: string) => string | Promise<string>
  /** Base URLs of services in other processes. */
  elsewhere?: Record<string, string>
  now?: () => Date
  /** Way to the other processes of the installation; without it each service runs in one process. */
  wire?: (instance: string, log: FastifyBaseLogger) => Promise<Wire>
  /** Set for a command beside a running server: it takes calls for itself alone, and is never started. */
  isCommand?: boolean
  /** Version of the program, for the list of processes. */
  version?: string
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
  const ownProcess = createOwnProcess(options.pool)
  try {
    if (options.isCommand !== true) await joinOthers(services, options, ownProcess)
    return await compose(services, options, ownProcess)
  } catch (error) {
    await ownProcess.close()
    throw error
  }
}

async function compose(
  services: readonly AnyService[],
  options: ServeOptions,
  ownProcess: OwnProcess,
) {
  const app = createApp(options)
  app.addHook('onClose', () => ownProcess.close())
  const { schemas, instance } = await prepareDatabase(services, options)
  const now = options.now ?? (() => new Date())
  const serverFetch = await fetchAs(app, options, 'server')
  const fabric = await openFabric(app, instance, options)
  const authenticate = options.authenticate(serverFetch, fabric)
  const admit = options.admit(serverFetch)
  const onError = (error: unknown) => app.log.error(error, 'the audit trail could not be written')
  const noted = refusals(options.db, onError, options.refusalWindowMs)
  app.addHook('onClose', () => noted.close())
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
  const loops: EventLoop[] = [{ name: 'audit', work: () => noted.written() }]
  const ears: EventLoop[] = []
  const starts: (() => Promise<Running>)[] = []
  const runners: JobRunner[] = []
  for (const service of services) {
    const contract: Contract = service.contract
    const db = schemas.get(contract.service) ?? options.db
    const { pool, secrets, site } = options
    const log = app.log.child({ service: contract.service })
    const clients = await clientsOf(service, app, options)
    const own = { ownProcess, fabric }
    const deps = { db, pool, clients, secrets, site, log, authenticate, admit, now, ...own }
    const {
      handlers,
      consumers,
      effects,
      jobs: kinds,
      mount,
      start,
      close,
    } = assemble(service, deps)
    app.addHook('onClose', close)
    addRoutes(app, contract, handlers, gate)
    // Before anything of the service is read: what comes later is heard.
    const { topics, hear } = await openEars({ db, effects, failed: effectFailed(log) })
    ears.push({ name: contract.service, topics, work: hear })
    await mount(app)
    const consumed = new Set(consumers.map(({ topic }) => topic))
    await addCursors(db, contract.service, [...consumed])
    loops.push({
      name: contract.service,
      topics: consumed,
      work: (announced) => deliver(db, contract.service, consumers, announced),
    })
    if (kinds.length > 0) {
      const about = { service: contract.service, kinds, admit, now, log, holder: ownProcess }
      runners.push(createJobRunner({ db: options.db, ...about }))
    }
    starts.push(start)
  }
  const contracts = services.map(({ contract }): Contract => contract)
  addOpenapi(app, services)
  const all = [...loops, ...ears]
  const settle = async () => {
    // Twice, as consumers publish what has effects, and effects what has consumers.
    for (const { work } of [...all, ...all]) await work()
  }
  return {
    app,
    contracts,
    /** Delivers waiting events and runs waiting jobs until there are none. */
    settle: () => settleAll(settle, runners),
    start: () => startAll(starts, { loops: all, runners, ownProcess, services }, app, options),
  }
}

/** Takes this process's place beside those of the same services, before anything is changed or listens. */
async function joinOthers(
  services: readonly AnyService[],
  { wire }: ServeOptions,
  ownProcess: OwnProcess,
) {
  for (const { contract, reachesOthers } of services)
    if (reachesOthers === true) await ownProcess.join(contract.service, { reaches: !!wire })
}

/**
 * Checks that the master key is the database's, and brings all schemas to their newest version: one process
 * after another, however many start at once.
 */
const prepareDatabase = (
  services: readonly AnyService[],
  { db, pool, secrets, now = () => new Date() }: ServeOptions,
) =>
  withLock(pool, 'kit.schemas', async () => {
    await createBus(db)
    const instance = await requireMasterKey(db, secrets)
    await createProcesses(db)
    await createJobs(db)
    const schemas = new Map<string, Kysely<unknown>>()
    // A migration lists all tables of its schema, and fails when a month is dropped meanwhile.
    await withLock(pool, changeOfMonths, async () => {
      for (const { contract, migrations } of services)
        schemas.set(contract.service, await migrated(db, contract.service, migrations))
    })
    await beginSmallMonths(pool, services.flatMap(monthlyTablesOf), now())
    return { schemas, instance }
  })

async function openFabric(app: FastifyInstance, instance: string, options: ServeOptions) {
  const wire = await options.wire?.(instance, app.log)
  const fabric = createFabric({ instance, log: app.log, ...(wire && { wire }) })
  app.addHook('onClose', () => fabric.close())
  return fabric
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

/** Logs the effect of an event that failed in this process. */
const effectFailed =
  (log: FastifyBaseLogger) => (error: unknown, about: { topic: string; givenUp: boolean }) =>
    log.error({ err: error, ...about }, 'an event could not take effect in this process')

type Work = {
  loops: readonly EventLoop[]
  runners: readonly JobRunner[]
  ownProcess: OwnProcess
  services: readonly AnyService[]
}

/**
 * Starts the background work of all services, then delivers events as the database announces them.
 */
async function startAll(
  starts: (() => Promise<Running>)[],
  { loops, runners, ownProcess, services }: Work,
  app: FastifyInstance,
  { db, pool, onEvent, version = '', now = () => new Date() }: ServeOptions,
): Promise<Running> {
  const running: Running[] = [
    await ownProcess.announce(
      { services: services.map(({ contract }) => contract.service), version },
      (error) => app.log.error(error, 'this process could not write that it works'),
    ),
  ]
  for (const start of starts) running.push(await start())
  const delivery = startEventLoops({ pool, log: app.log, ...(onEvent && { onEvent }) }, [
    ...loops,
    ...runners.map(jobLoop),
  ])
  const upkeep = startBusUpkeep(db, (error) => app.log.error(error, 'old events could not go'))
  const months = services.map((service) =>
    startMonths(monthlyTablesOf(service), {
      pool,
      now,
      log: app.log,
      leads: () => ownProcess.leads(`${service.contract.service}.months`),
    }),
  )
  return {
    async close() {
      for (const one of months) await one.close()
      await delivery.close()
      for (const runner of runners) await runner.close()
      await upkeep.close()
      for (const one of running.toReversed()) await one.close()
    },
  }
}

const fetchAs = async (
  app: FastifyInstance,
  { serviceToken, elsewhere = {} }: ServeOptions,
  name: string,
) => fetchAny(app, elsewhere, { authorization: `Bearer ${await serviceToken(name)}` })

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
