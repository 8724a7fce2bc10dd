import type { FastifyInstance } from 'fastify'
import type { Endpoint, PartContract } from './contract.ts'
import type { Consumer } from './events.ts'
import type { Effect } from './everywhere.ts'
import type { MonthlyTable } from './months.ts'
import type { AnyPart, Deps, Every, Handler, LongWork, Running } from './service.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the tables and clients of any service
type AnyDeps = Deps<any, any>
// oxlint-disable-next-line typescript/no-explicit-any -- the clients do not matter here
type DbOf<D> = D extends Deps<infer DB, any> ? DB : never

/** State of a part, as parts that use it see it. */
type StateOf<P> = P extends { state?: (deps: never) => infer S } ? S : undefined
type StatesOf<U extends readonly AnyPart[]> = { [P in U[number] as P['name']]: StateOf<P> }

/** Dependencies of a part: the service's, its own state, and the states of the parts that it uses. */
type PartDeps<D, U extends readonly AnyPart[], S> = D & { state: NoInfer<S>; used: StatesOf<U> }

type HandlersOf<C> = C extends { endpoints: infer E extends Record<string, Endpoint> }
  ? { [K in keyof E]: Handler<E[K]> }
  : Record<never, never>

type Part<
  D extends AnyDeps,
  N extends string,
  C extends PartContract,
  U extends readonly AnyPart[],
  S,
> = {
  /** Name of its folder. */
  name: N
  /** Its calls, and the errors and events that only it has. */
  contract?: C
  /** Parts whose states and functions it uses. */
  uses?: U
  /**
   * Memory that its handlers, consumers, jobs and routes share; made once for a running service. A
   * method `close` is called when the server closes, after those of the parts that use this one.
   */
  state?: (deps: D & { used: StatesOf<U> }) => S
  /** One handler for each call of its contract. */
  handlers?: (deps: PartDeps<D, U, S>) => HandlersOf<C>
  /** Work after events, done by one process of all that run the service. */
  consumers?: (deps: PartDeps<D, U, S>) => Consumer<DbOf<D>>[]
  /** Effects of events on the memory and the connections of every process. */
  effects?: (deps: PartDeps<D, U, S>) => Effect[]
  /** Kinds of jobs, started by `startJob`; they continue after a restart. */
  jobs?: readonly LongWork<PartDeps<D, U, S>>[]
  /** Tables that are kept in partitions by month, and the age at which months are dropped. */
  months?: readonly MonthlyTable[]
  /** Work that is repeated, one run at a time; a failed run is logged. */
  every?: Every<PartDeps<D, U, S>>
  /** Adds routes that are not JSON calls: another protocol, a socket, a download. */
  mount?: (app: FastifyInstance, deps: PartDeps<D, U, S>) => Promise<void> | void
  /** Starts listeners and work that is not simply repeated, once the site's origin is known. */
  start?: (deps: PartDeps<D, U, S>) => Promise<Running | void> | Running
  /** For the compiler only: the dependencies that its service must have. */
  takes?: (deps: D) => void
}

type WithHandlers<C> = C extends { endpoints: object } ? { handlers: unknown } : unknown

/** Part of a service that has dependencies `D`. */
export const definePart =
  <D extends AnyDeps>() =>
  <
    const N extends string,
    const C extends PartContract = Record<never, never>,
    const U extends readonly AnyPart[] = readonly [],
    S = undefined,
  >(
    part: Part<D, N, C, U, S> & WithHandlers<C>,
  ): Part<D, N, C, U, S> =>
    part
