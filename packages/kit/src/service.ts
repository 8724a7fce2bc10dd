import type { Admission } from '@longreach/authorization/admission'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { Client } from './client.ts'
import type { Contract, Endpoint, Parsed, PartContract } from './contract.ts'
import type { Consumer } from './events.ts'
import type { Effect } from './everywhere.ts'
import type { Fabric } from './fabric.ts'
import type { MonthlyTable } from './months.ts'
import type { OutsideSettings } from './outside-address.ts'
import type { OwnProcess } from './own-process.ts'
import type { Interval } from './rounds.ts'
import type { Reply } from './reply.ts'
import type { Secrets } from './secrets.ts'

/** Authenticated caller. Rights are looked up and never taken from the credential. */
export type Caller = {
  kind: 'nobody' | 'user' | 'service' | 'device'
  /** Subject of the token: a user's id, a service's name or a device's id. */
  sub: string
  username: string
  realm: string
  /** Organization that the token was requested for. It proves no membership. */
  org?: string
  /** Identity session of the token. */
  session?: string
  /** A second factor was used in the session. */
  secondFactor?: boolean
  /** Program with an account of its own. */
  serviceAccount?: boolean
  /** Administrator who impersonates this person. */
  impersonator?: { sub: string; username: string }
  /** API key, if that is the credential: valid in one organization (resourceId) and below. */
  apiKey?: { id: number; organization: string }
}

export type CallerCtx = {
  caller: Caller
  now: Date
  ip: string
  signal: AbortSignal
  /** Call being answered, and whether it already has an audit entry. */
  call?: {
    name: string
    recorded: boolean
    /** Names of resources by id, for an audit entry that the kit writes. */
    about?: Map<string, string>
  }
}
/** Context of a call in an organization. */
export type OrgCtx = CallerCtx &
  Admission & {
    /** The call covers all organizations below, which the caller may see. */ subtree: boolean
  }

type Orgless = 'public' | 'signed-in' | 'service'
type CtxOf<E extends Endpoint> = E['access'] extends Orgless ? CallerCtx : OrgCtx

export type Handler<E extends Endpoint> = (
  input: Parsed<E>,
  ctx: CtxOf<E>,
) => Promise<z.input<E['result']> | Reply>
export type Handlers<C extends Pick<Contract, 'endpoints'>> = {
  [K in keyof C['endpoints']]: Handler<C['endpoints'][K]>
}

/** Installation: its public origin, data folder and ports. */
export type Site = {
  /** Public origin, `https://portal.example.org`, from the settings and never from a request. */
  origin: string
  dataDir: string
  mqttPort: number
  /** Milliseconds between two runs of what runs every second; shorter in tests, which wait for it. */
  secondMs?: number
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[]
  /** Mail server, `smtp://user:password@host:587`, and sender; undefined: no mail is sent. */
  mail?: { url: string; from: string }
  /** Calls that are allowed to addresses that people give; undefined: by TLS to public ones. */
  outside?: OutsideSettings
  /**
   * Self-registration is open; new organizations are below `parent` (resourceId), or roots without
   * it.
   */
  registration?: { parent?: string }
}

export type Needs = Record<string, Contract>
export type Deps<DB, N extends Needs = Record<never, Contract>> = {
  /** Query builder for the service's own schema. */
  db: Kysely<DB>
  /** Connection pool of the same database, for queries that the query builder is too slow for. */
  pool: Pool
  clients: { [K in keyof N]: Client<N[K]> }
  secrets: Secrets
  site: Site
  log: FastifyBaseLogger
  now: () => Date
  /** This process among all that run on the database. */
  ownProcess: Pick<OwnProcess, 'number' | 'leads' | 'isAlone'>
  /** Messages between the processes of the installation. */
  fabric: Fabric
  /** Verifies a token or API key used from an address; undefined when it is invalid. */
  authenticate: (token: string, ip?: string) => Promise<Caller | undefined>
  /**
   * Looks up the caller's rights in an organization (number, resourceId, or undefined for the only
   * one).
   */
  admit: Authorizer
}

export type Authorizer = (caller: Caller, org: string | undefined) => Promise<Admission | undefined>
export type { Admission }

export type Running = { close: () => Promise<void> }

/** Kind of job, as `jobKind` defines it. */
export type LongWork<D> = {
  name: string
  input: z.ZodType
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has an input of its own
  run: (job: any, deps: D) => Promise<unknown>
}

/** Work that is repeated while the server runs: at its start, and at these intervals. */
export type Every<D> = { [I in Interval]?: (deps: D) => Promise<unknown> }

// oxlint-disable typescript/no-explicit-any -- parts of different types stand in one list

/** Part of a service, as `definePart` makes it, whose types are no longer known. */
export type AnyPart = {
  name: string
  contract?: PartContract
  uses?: readonly AnyPart[]
  state?: (deps: any) => unknown
  handlers?: (deps: any) => object
  consumers?: (deps: any) => Consumer<any>[]
  effects?: (deps: any) => Effect[]
  jobs?: readonly LongWork<any>[]
  months?: readonly MonthlyTable[]
  every?: Every<any>
  mount?: (app: FastifyInstance, deps: any) => Promise<void> | void
  start?: (deps: any) => Promise<Running | void> | Running
}

// oxlint-enable typescript/no-explicit-any

type Service<C extends Contract, N extends Needs, P extends readonly AnyPart[]> = {
  /** Union of the parts' contracts, as `joinContracts` makes it. */
  contract: C
  /** Contracts of the services that its parts call; they can use no other. */
  needs: N
  /** Folder of numbered SQL files; each is applied once, in order. */
  migrations: URL
  /** Its processes talk to each other: a second one without a way to the first does not start. */
  reachesOthers?: true
  /** Parts, each after those that it uses. */
  parts: P
}

/** Service of parts, whose types are no longer known. */
export type AnyService = {
  contract: Contract
  needs: Needs
  migrations: URL
  reachesOthers?: true
  parts: readonly AnyPart[]
}

type CallsOf<P> = P extends { contract?: { endpoints: infer E } } ? keyof E : never
/** Refuses a list of parts when a call of the contract is in none of them. */
type EveryCallIn<C extends Contract, P extends readonly AnyPart[]> = [
  Exclude<keyof C['endpoints'], CallsOf<P[number]>>,
] extends [never]
  ? unknown
  : { parts: { noPartHas: Exclude<keyof C['endpoints'], CallsOf<P[number]>> } }

/** Service that is made of parts; each part sees the clients that the service needs. */
export const defineService = <
  const C extends Contract,
  const N extends Needs,
  // oxlint-disable-next-line typescript/no-explicit-any -- the tables are those of its parts
  const P extends readonly (AnyPart & { takes?: (deps: Deps<any, N>) => void })[],
>(
  service: Service<C, N, P> & EveryCallIn<C, P>,
): Service<C, N, P> => service
