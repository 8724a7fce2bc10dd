import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { client } from './client.ts'
import type { Contract } from './contract.ts'
import { migrated, openDatabase } from './database.ts'
import { createBus } from './events.ts'
import { fetchOf } from './fetch-of.ts'
import { createJobs } from './job-store.ts'
import { beginSmallMonths, monthlyTablesOf } from './months-upkeep.ts'
import { createProcesses } from './own-process.ts'
import { createSecrets } from './secrets.ts'
import { serve, type ServeOptions } from './serve.ts'
import {
  type AnyPart,
  type AnyService,
  type Authorizer,
  type Caller,
  type Deps,
  type Handlers,
  type Site,
} from './service.ts'
import { type Beginning, type TestDatabase, testDatabase } from './test-database.ts'

export const testNow = new Date('2026-01-05T12:00:00Z')

type Options = Partial<Pick<ServeOptions, 'authenticate' | 'now' | 'limits' | 'wire'>> & {
  /** Authorization of the services under test: core's own, or a table. */
  admit?: ServeOptions['admit']
  mqttPort?: number
  /** A server that runs already: this one is a second process on its database, with its master key. */
  beside?: { database: TestDatabase }
}

/**
 * Server for tests: real routes, real SQL, a database of its own, and a clock that stands still
 * unless it is set.
 */
export async function testServer(services: readonly AnyService[], options: Options = {}) {
  const database = options.beside
    ? sameDatabase(options.beside.database)
    : await testDatabase(beginningOf(services))
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-test-'))
  const noOrganizations: Authorizer = async () => undefined
  const mqttPort = options.mqttPort ?? 0
  const site: Site = { origin: 'http://portal.test', dataDir, mqttPort, secondMs: 100 }
  const { app, settle, start } = await serve(services, {
    db: database.db,
    pool: database.pool,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    site,
    now: options.now ?? (() => testNow),
    ...(options.limits && { limits: options.limits }),
    ...(options.wire && { wire: options.wire }),
    // Long enough that no test writes an entry because of elapsed time.
    refusalWindowMs: 86_400_000,
    authenticate: options.authenticate ?? (() => async (token) => callerOf(token)),
    admit: options.admit ?? (() => noOrganizations),
    serviceToken: (name) => tokenFor({ kind: 'service', sub: name, username: name, realm: '' }),
  })
  await app.ready()
  const fetchAs = (caller?: Caller) =>
    fetchOf(app, undefined, caller ? { authorization: `Bearer ${tokenFor(caller)}` } : {})
  return {
    app,
    site,
    start,
    database,
    fetchAs,
    as: <C extends Contract>(caller: Caller | undefined, contract: C) =>
      client(contract, fetchAs(caller)),
    /** Caller for calls with access `service`. */
    asService: <C extends Contract>(contract: C) =>
      client(contract, fetchAs({ kind: 'service', sub: 'test', username: 'test', realm: '' })),
    /** Delivers all waiting events. */
    settle,
    async close() {
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type TestServer = Awaited<ReturnType<typeof testServer>>

type Only<C extends Contract, DB> = {
  contract: C
  migrations: URL
  handlers: (deps: Deps<DB>) => Handlers<C>
} & Pick<AnyPart, 'consumers' | 'jobs' | 'mount' | 'start'>

/** Service of a single part that calls no other service: what a test or a measurement needs of one. */
export const serviceOf =
  <DB>() =>
  <const C extends Contract>({ contract, migrations, ...part }: Only<C, DB>): AnyService => ({
    contract,
    needs: {},
    migrations,
    parts: [{ name: contract.service, contract, ...part }],
  })

/** Database of another process, over connections of its own. */
function sameDatabase({ connection }: TestDatabase): TestDatabase {
  const { pool, db, close } = openDatabase({ ...connection, max: 10 }, () => undefined) // an idle connection that is dropped ends with its test
  return { connection, pool, db, close }
}

/** Tables of these services, as their migrations make them. */
const beginningOf = (services: readonly AnyService[]): Beginning => ({
  key: services.map(({ contract, migrations }) => `${contract.service} ${migrations.href}`).join(),
  async make({ db, pool }) {
    await createBus(db)
    await createProcesses(db)
    await createJobs(db)
    for (const service of services) {
      await migrated(db, service.contract.service, service.migrations)
      await beginSmallMonths(pool, monthlyTablesOf(service), testNow)
    }
  },
})

/** Caller for a person of a test. */
export const person = (sub: string, realm: string, org?: string): Caller => ({
  kind: 'user',
  sub,
  username: `${sub}@${realm}`,
  realm,
  ...(org !== undefined && { org }),
})

const tokenFor = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
const callerOf = (token: string): Caller | undefined => {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller
  } catch {
    return undefined // not a token of this test
  }
}
