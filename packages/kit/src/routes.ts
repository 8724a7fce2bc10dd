import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { QueryExecutorProvider } from 'kysely'
import { type BodyRoom, largestBodyOf } from './body-room.ts'
import { mostValuesOf } from './body-values.ts'
import { type Access, callNameOf, type Contract, type Endpoint } from './contract.ts'
import { credentialOf } from './credential.ts'
import { allows, checkKeyAccess } from './allowed.ts'
import { AppError } from './errors.ts'
import { checkAdmission } from './admission-check.ts'
import { holdRoom, holdTurn } from './holding.ts'
import { isRefusal, type Refusals } from './refusals.ts'
import { parserOf } from './parse-request.ts'
import { Reply } from './reply.ts'
import type { Admission, Authorizer, Caller, CallerCtx, OrgCtx } from './service.ts'
import { withImmediateEvents } from './immediate-events.ts'
import type { Turns } from './turns.ts'
import { auditFacts, idOf, recordUnrecorded } from './unrecorded-change.ts'

type Gate = {
  authenticate: (token: string, ip?: string) => Promise<Caller | undefined>
  admit: Authorizer
  now: () => Date
  /** Called with the topics that a call published, before its answer is sent. */
  hear?: (topic: string) => void
  /** Memory for bodies and turns for costly calls, shared by all services. */
  rooms: BodyRoom
  turns: Turns
  /** Writer of audit entries: for changes without one of their own and for refused attempts. */
  trail?: { db: QueryExecutorProvider; refusals: Refusals; onError: (error: unknown) => void }
}
type Begun = {
  access: readonly Access[]
  ctx: RoutedCtx
  admitted: Promise<CallerCtx | OrgCtx>
}
type AnyHandlers = { [name: string]: (input: object, ctx: CallerCtx) => Promise<unknown> }

/** Adds a route for each call of a contract: authenticate, authorize, parse, handle, answer. */
export function addRoutes(app: FastifyInstance, contract: Contract, all: object, gate: Gate) {
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const handle = (all as AnyHandlers)[name]
    if (!handle) throw new Error(`${contract.service}.${name} has no handler`)
    const routed = { contract, endpoint, called: callNameOf(contract, name, endpoint), gate }
    const { beforeBody, handler } = callSteps(routed, handle)
    for (const path of [endpoint.path, ...(endpoint.also ?? [])]) {
      app.route({
        method: endpoint.method,
        url: `${endpoint.base ?? contract.base}${path}`,
        bodyLimit: largestBodyOf(endpoint),
        config: { mostValues: mostValuesOf(endpoint) },
        ...(endpoint.body && { onRequest: beforeBody }),
        handler,
      })
    }
  }
}

type Routed = { contract: Contract; endpoint: Endpoint; called: string; gate: Gate }

/** Steps of one call, before its body is read and after. */
function callSteps({ contract, endpoint, called, gate }: Routed, handle: AnyHandlers[string]) {
  const accessOf = accessesOf(endpoint)
  const parse = parserOf(endpoint)
  const hear = gate.hear ?? (() => undefined)
  const reads = endpoint.method === 'GET' || endpoint.reads === true
  const begun = new WeakMap<FastifyRequest, Begun>()
  const begin = (request: FastifyRequest, reply: FastifyReply): Begun => {
    // Answers depend on the caller, so no cache may keep them.
    void reply.header('cache-control', 'no-store')
    const access = accessOf(request.params as Record<string, string>)
    const ctx: RoutedCtx = new RoutedCall(called, gate.now(), reply)
    return { access, ctx, admitted: letIn(ctx, { access, endpoint }, request, gate) }
  }
  const what = (request: FastifyRequest, access: readonly Access[]) => ({
    ...auditFacts(contract, access, endpoint),
    id: idOf(request),
  })
  const note = (request: FastifyRequest, { access, ctx }: Begun, error: unknown) => {
    if (!(error instanceof AppError) || !isRefusal(error) || !hasCredential(request)) return
    const organization = refusalOrganization(ctx, request)
    gate.trail?.refusals.note(ctx, { ...what(request, access), call: called, organization }, error)
  }
  return {
    /** Runs before the body is read, so that the body of a refused caller is not. */
    async beforeBody(request: FastifyRequest, reply: FastifyReply) {
      const call = begin(request, reply)
      begun.set(request, call)
      try {
        await call.admitted
        holdRoom(gate.rooms, request, reply, { caller: call.ctx.caller, endpoint })
      } catch (error) {
        note(request, call, error)
        throw error
      }
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const call = begun.get(request) ?? begin(request, reply)
      const { ctx, access } = call
      try {
        const admitted = await call.admitted
        if (endpoint.costly === true) await holdTurn(gate.turns, ctx, reply)
        const result = await withImmediateEvents(() => handle(parse(request), admitted), hear)
        if (!reads && endpoint.audit !== 'own') {
          const done = { ...what(request, access), request, result }
          await recordUnrecorded(gate.trail, admitted, done)
        }
        return sendResult(endpoint, result, reply)
      } catch (error) {
        note(request, call, error)
        throw error
      }
    },
  }
}

function sendResult(endpoint: Endpoint, result: unknown, reply: FastifyReply) {
  if (result instanceof Reply)
    return reply.code(result.status).headers(result.headers).send(result.body)
  if (result === undefined) return reply.code(204).send()
  const body = endpoint.result.parse(result)
  if (typeof body === 'string') {
    // A text result would be sent as text/plain, which the typed client does not read.
    void reply.type('application/json')
    return reply.code(endpoint.status ?? 200).send(JSON.stringify(body))
  }
  return reply.code(endpoint.status ?? 200).send(body)
}

const nobody: Caller = { kind: 'nobody', sub: '', username: '', realm: '' }

/** Required accesses, computed once for an endpoint unless the path decides. */
function accessesOf({ access }: Endpoint) {
  if (typeof access === 'function') return (params: Record<string, string>) => [access(params)]
  const fixed = typeof access === 'string' ? [access] : access
  return () => fixed
}

type Asked = { access: readonly Access[]; endpoint: Endpoint }

/** Authorizes the call from its contract, so that no handler can forget it. */
async function letIn(
  ctx: RoutedCtx,
  asked: Asked,
  request: FastifyRequest,
  gate: Gate,
): Promise<CallerCtx | OrgCtx> {
  const token = credentialOf(request)
  const caller = token ? await gate.authenticate(token, request.ip) : undefined
  if (caller) ctx.caller = caller
  if (asked.endpoint.inPerson === true && caller?.impersonator) {
    throw new AppError(403, 'auth.impersonating')
  }
  if (asked.access.includes('public')) return ctx
  if (!caller) throw new AppError(401, 'auth.not_signed_in')
  if (mayWithoutOrganization(caller, asked)) return ctx
  const { reference, below } = readOrganization(request, caller)
  const admission = await gate.admit(caller, reference)
  if (!admission) throw new AppError(404, 'auth.no_such_organization', { organization: reference })
  const admitted = inOrganization(ctx, asked.access, admission, below)
  checkKeyAccess(admitted, asked.access, asked.endpoint)
  return admitted
}

/** Authorization without an organization; throws when no organization could allow the call. */
function mayWithoutOrganization(caller: Caller, { access, endpoint }: Asked) {
  const house = caller.kind === 'service'
  if (house && access.includes('service')) return true
  if (!house && access.includes('signed-in')) {
    if (caller.apiKey && endpoint.apiKeys !== true) throw new AppError(403, 'auth.not_with_api_key')
    return true
  }
  if (access.some((one) => one !== 'service' && one !== 'signed-in')) return false
  throw new AppError(403, 'auth.missing_permission', { permission: access.join(' ') })
}

function inOrganization(
  ctx: RoutedCtx,
  access: readonly Access[],
  admission: Admission,
  below: boolean,
): OrgCtx {
  // The refusal is recorded in the audit trail of this organization.
  ctx.organization = admission.organization
  checkAdmission(ctx.caller, ctx.ip, admission.organization)
  // A call about all organizations below needs rights that hold in all of them; otherwise it is
  // limited to the top one.
  const reaching =
    below && admission.below ? (admission.capabilityBelow ?? admission.capability) : undefined
  if (reaching && allows(reaching, access)) {
    return Object.assign(ctx, admission, { capability: reaching, subtree: true })
  }
  if (!allows(admission.capability, access)) {
    throw new AppError(403, 'auth.missing_permission', { permission: access.join(' ') })
  }
  return Object.assign(ctx, admission, { subtree: false })
}

/**
 * Organization of the request: `organization=nordwerk`, `organization=*` (the session's and all
 * below), `organization=nordwerk.*`.
 */
function readOrganization(request: FastifyRequest, caller: Caller) {
  const { org } = request.params as { org?: string }
  const { organization } = request.query as { organization?: string | string[] }
  const named = org ?? (typeof organization === 'string' ? organization : undefined) ?? ''
  const below = named.endsWith('*')
  const plain = below ? named.replace(/\.?\*$/, '') : named
  return { reference: plain === '' ? caller.org : plain, below }
}

type RoutedCtx = CallerCtx & {
  call: NonNullable<CallerCtx['call']>
  organization?: OrgCtx['organization'] | undefined
}

/**
 * Organization whose audit trail gets a refusal: the one admitted to, otherwise the one named,
 * otherwise the session's.
 */
function refusalOrganization({ organization, caller }: RoutedCtx, request: FastifyRequest) {
  const { reference = '' } = readOrganization(request, caller)
  const named = /^(?!\d+$)[A-Za-z0-9._-]{1,500}$/.test(reference) ? reference : undefined
  return organization?.resourceId ?? named ?? caller.org ?? ''
}

/**
 * Call context of a handler. Its abort signal is made on first access: few handlers use it, and a
 * controller for each call is costly. A class, because a getter in an object literal would make a
 * hidden class for each call.
 */
class RoutedCall {
  caller = nobody
  organization: OrgCtx['organization'] | undefined = undefined
  readonly call: RoutedCtx['call']
  readonly now: Date
  readonly ip: string
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined
  constructor(name: string, now: Date, reply: FastifyReply) {
    this.call = { name, recorded: false }
    this.now = now
    this.ip = reply.request.ip
    this.#reply = reply
  }

  get signal() {
    return (this.#signal ??= gone(this.#reply))
  }
}

/** Signal that aborts when the client disconnects before its answer, also when it already has. */
function gone({ raw }: FastifyReply) {
  const controller = new AbortController()
  const closed = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.destroyed) closed()
  else raw.once('close', closed)
  return controller.signal
}

const hasCredential = ({ headers }: FastifyRequest) =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined
