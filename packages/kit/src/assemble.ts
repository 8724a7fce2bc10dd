import type { FastifyInstance } from 'fastify'
import type { Consumer } from './events.ts'
import type { Effect } from './everywhere.ts'
import { intervalNames, startRounds } from './rounds.ts'
import type { AnyPart, AnyService, Deps, LongWork, Running } from './service.ts'

type Made = { part: AnyPart; deps: Deps<unknown> & { state: unknown; used: object } }

/** Running service: the states of its parts are made, and their work is joined. */
type Assembled = {
  handlers: object
  consumers: Consumer<unknown>[]
  effects: Effect[]
  jobs: LongWork<unknown>[]
  mount: (app: FastifyInstance) => Promise<void>
  start: () => Promise<Running>
  /** Closes the states, the last made first. */
  close: () => Promise<void>
}

/** Makes the states of a service's parts and joins what they do. */
export function assemble(service: AnyService, deps: Deps<unknown>): Assembled {
  const made = statesOf(service, deps)
  return {
    handlers: handlersOf(service, made),
    consumers: made.flatMap(({ part, deps: own }) => part.consumers?.(own) ?? []),
    effects: made.flatMap(({ part, deps: own }) => part.effects?.(own) ?? []),
    jobs: made.flatMap(({ part, deps: own }) =>
      (part.jobs ?? []).map((kind) => ({
        ...kind,
        run: (job: unknown): Promise<unknown> => kind.run(job, own),
      })),
    ),
    async mount(app) {
      for (const { part, deps: own } of made) await part.mount?.(app, own)
    },
    start: () => startParts(made),
    async close() {
      for (const { deps: own } of made.toReversed()) await closeState(own.state)
    },
  }
}

function statesOf(service: AnyService, deps: Deps<unknown>) {
  const states = new Map<string, unknown>()
  return service.parts.map((part): Made => {
    const { name, uses = [] } = part
    if (states.has(name)) throw new Error(`${service.contract.service}: two parts are ${name}`)
    const missing = uses.find((one) => !states.has(one.name))
    // So no circle of parts can start either.
    if (missing) throw new Error(`${name} uses ${missing.name}, which is not a part before it`)
    const used = Object.fromEntries(uses.map((one) => [one.name, states.get(one.name)]))
    const state = part.state?.({ ...deps, used })
    states.set(name, state)
    return { part, deps: { ...deps, state, used } }
  })
}

function handlersOf({ contract }: AnyService, made: readonly Made[]) {
  const handlers = new Map<string, unknown>()
  for (const { part, deps } of made) {
    const calls = Object.keys(part.contract?.endpoints ?? {})
    const own = part.handlers?.(deps) ?? {}
    for (const call of [...calls, ...Object.keys(own)]) {
      if (!(call in own)) throw new Error(`${contract.service}.${call} has no handler`)
      if (!calls.includes(call))
        throw new Error(`${part.name} handles ${call}, which is not in its contract`)
    }
    for (const [call, handler] of Object.entries(own)) {
      if (handlers.has(call)) throw new Error(`${contract.service}: two parts have ${call}`)
      handlers.set(call, handler)
    }
  }
  const foreign = [...handlers.keys()].find((call) => !(call in contract.endpoints))
  if (foreign !== undefined) throw new Error(`${contract.service} has no call ${foreign}`)
  return Object.fromEntries(handlers)
}

async function startParts(made: readonly Made[]): Promise<Running> {
  const running: Running[] = []
  for (const { part, deps } of made) {
    const started = await part.start?.(deps)
    if (started) running.push(started)
    for (const interval of intervalNames) {
      const work = part.every?.[interval]
      const failed = (error: unknown) =>
        deps.log.error(error, `${part.name}: the work of every ${interval} failed`)
      const between = interval === 'second' ? (deps.site.secondMs ?? interval) : interval
      if (work) running.push(startRounds(between, () => work(deps), failed))
    }
  }
  return {
    async close() {
      for (const one of running.toReversed()) await one.close()
    },
  }
}

async function closeState(state: unknown) {
  if (typeof state !== 'object' || state === null || !('close' in state)) return
  if (typeof state.close === 'function') await state.close()
}
