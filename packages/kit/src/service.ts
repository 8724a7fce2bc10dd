import type { Admission } from '@longreach/authorization/admission'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { Client } from './client.ts'
import type { Contract, Endpoint, Parsed } from './contract.ts'
import type { Consumer } from './events.ts'
import type { Reply } from './reply.ts'
import type { Secrets } from './secrets.ts'

/** Who calls, as the bearer of the credential. What they may do is looked up, never taken from it. */
export type Caller = {
  kind: 'nobody' | 'user' | 'service' | 'device'
  /** The subject of the token: a user's id, a service's name, a device's id. */
  sub: string
  username: string
  realm: string
  /** The organization that the token was asked for: a wish, not a proof. */
  org?: string
  /** The identity session behind the token. */
  session?: string
  /** A second factor was used in that session. */
  secondFactor?: boolean
  /** A program with an account of its own. */
  serviceAccount?: boolean
  /** The administrator who acts as this person. */
  impersonator?: { sub: string; username: string }
  /** Set when the credential is an API key: it holds in one organization (resourceId) and below. */
  apiKey?: { id: number; organization: string }
}

export type CallerCtx = {
  caller: Caller
  now: Date
  ip: string
  signal: AbortSignal
  /** The call of a contract that is being answered, and whether the audit trail has it. */
  call?: {
    name: string
    recorded: boolean
    /** Names of what the call is about, by id, for a line that the handler does not write itself. */
    about?: Map<string, string>
  }
}
/** What a handler knows when the call happens in an organization. */
export type OrgCtx = CallerCtx &
  Admission & { /** All organizations below are asked for, and may be seen. */ subtree: boolean }

type Orgless = 'public' | 'signed-in' | 'service'
type CtxOf<E extends Endpoint> = E['access'] extends Orgless ? CallerCtx : OrgCtx

type Handler<E extends Endpoint> = (
  input: Parsed<E>,
  ctx: CtxOf<E>,
) => Promise<z.input<E['result']> | Reply>
export type Handlers<C extends Contract> = {
  [K in keyof C['endpoints']]: Handler<C['endpoints'][K]>
}

/** Who the installation is: the one public origin, where it keeps files, which ports it has. */
export type Site = {
  /** `https://portal.example.org`, from the settings and never from a request. */
  origin: string
  dataDir: string
  mqttPort: number
  /** Proxies whose `X-Forwarded-For` is believed. */
  trustedProxies?: readonly string[]
  /** The mail server, as `smtp://user:password@host:587`, and the sender; absent: no mail is sent. */
  mail?: { url: string; from: string }
  /** People may register; `parent` (resourceId) gets their organizations, else each is a root of its own. */
  registration?: { parent?: string }
}

export type Needs = Record<string, Contract>
export type Deps<DB, N extends Needs = Record<never, Contract>> = {
  /** Queries in the service's own schema. */
  db: Kysely<DB>
  /** The same database for what the query builder is too slow for. */
  pool: Pool
  clients: { [K in keyof N]: Client<N[K]> }
  secrets: Secrets
  site: Site
  log: FastifyBaseLogger
  now: () => Date
  /** Verify a token or API key from an address; undefined when it is not good. */
  authenticate: (token: string, ip?: string) => Promise<Caller | undefined>
  /** Look up what a caller may do in an organization (number, resourceId, or undefined: the only one). */
  admit: Authorizer
}

export type Authorizer = (caller: Caller, org: string | undefined) => Promise<Admission | undefined>
export type { Admission }

export type Running = { close: () => Promise<void> }

/** A kind of long work, as `jobKind` defines it. */
type LongWork<D> = {
  name: string
  input: z.ZodType
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has an input of its own
  run: (job: any, deps: D) => Promise<unknown>
}

type Service<C extends Contract, DB, N extends Needs> = {
  contract: C
  /** Contracts of the services this one calls. Nothing else of theirs is visible to it. */
  needs: N
  /** Folder of numbered SQL files, applied in order, each once. */
  migrations: URL
  handlers: (deps: Deps<DB, N>) => Handlers<C>
  consumers?: (deps: Deps<DB, N>) => Consumer<DB>[]
  /** Kinds of long work: asked for by `startJob`, done beside the calls, across restarts. */
  jobs?: readonly LongWork<Deps<DB, N>>[]
  /** Routes that are not JSON calls: a protocol of others, a socket, a download. */
  mount?: (app: FastifyInstance, deps: Deps<DB, N>) => Promise<void> | void
  /** Listeners and workers, started once the site's origin is known. */
  start?: (deps: Deps<DB, N>) => Promise<Running>
}

/** A service among others: what it stores and needs is its own business. */
// oxlint-disable-next-line typescript/no-explicit-any -- handlers are contravariant; only `any` erases them
export type AnyService = Service<any, any, any>

export const defineService =
  <DB>() =>
  <const C extends Contract, const N extends Needs>(service: Service<C, DB, N>) =>
    service
