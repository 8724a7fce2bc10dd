import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { can } from '@longreach/authorization/can'
import type { Capability } from '@longreach/authorization/capability'
import type { Action, Resource } from '@longreach/authorization/permissions'
import type { z } from 'zod'
import type { Access, Contract, Endpoint } from './contract.ts'
import { AppError } from './errors.ts'
import { Reply } from './reply.ts'
import type { Authorizer, Caller, CallerCtx, OrgCtx } from './service.ts'

type Gate = {
  authenticate: (token: string) => Promise<Caller | undefined>
  admit: Authorizer
  now: () => Date
}
type AnyHandlers = Record<string, (input: object, ctx: CallerCtx) => Promise<unknown>>

/** Every call of a contract as a route: who is it, may they, is the question well formed, answer. */
export function addRoutes(app: FastifyInstance, contract: Contract, all: object, gate: Gate) {
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const handle = (all as AnyHandlers)[name]
    if (!handle) throw new Error(`${contract.service}.${name} has no handler`)
    for (const path of [endpoint.path, ...(endpoint.also ?? [])]) {
      app.route({
        method: endpoint.method,
        url: `${contract.base}${path}`,
        handler: async (request, reply) => {
          const ctx = await admitted(endpoint, request, reply, gate)
          return answer(endpoint, await handle(parsed(endpoint, request), ctx), reply)
        },
      })
    }
  }
}

function answer(endpoint: Endpoint, result: unknown, reply: FastifyReply) {
  if (result instanceof Reply)
    return reply.code(result.status).headers(result.headers).send(result.body)
  if (result === undefined) return reply.code(204).send()
  const body = endpoint.result.parse(result)
  if (typeof body === 'string') {
    // A bare text would go out as text/plain, which the typed client does not read.
    void reply.type('application/json')
    return reply.code(endpoint.status ?? 200).send(JSON.stringify(body))
  }
  return reply.code(endpoint.status ?? 200).send(body)
}

const nobody: Caller = { kind: 'nobody', sub: '', username: '', realm: '' }

/** Clients send `Bearer x` or the bare token. */
export const tokenOf = (header: string | undefined) => header?.replace(/^Bearer\s+/i, '').trim()

/** Permission is part of the contract, so no handler can forget to check it. */
async function admitted(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  gate: Gate,
): Promise<CallerCtx | OrgCtx> {
  const params = request.params as Record<string, string>
  const declared = typeof endpoint.access === 'function' ? endpoint.access(params) : endpoint.access
  const access = typeof declared === 'string' ? [declared] : declared
  const token = tokenOf(request.headers.authorization)
  const caller = token ? await gate.authenticate(token) : undefined
  const ctx = { caller: caller ?? nobody, now: gate.now(), ip: request.ip, signal: gone(reply) }
  if (access.includes('public')) return ctx
  if (!caller) throw new AppError(401, 'auth.not_signed_in')
  if (caller.kind === 'service' && access.includes('service')) return ctx
  if (access.includes('signed-in') && caller.kind !== 'service') return ctx
  if (access.every((one) => one === 'service' || one === 'signed-in')) {
    throw new AppError(403, 'auth.missing_permission', { permission: access.join(' ') })
  }
  return inOrganization(ctx, access, request, gate)
}

async function inOrganization(
  ctx: CallerCtx,
  access: readonly Access[],
  request: FastifyRequest,
  { admit }: Gate,
): Promise<OrgCtx> {
  const { reference, below } = organizationOf(request, ctx.caller)
  const admission = await admit(ctx.caller, reference)
  if (!admission) throw new AppError(404, 'auth.no_such_organization', { organization: reference })
  // A call about the whole tree goes by the rights that hold in all of it, or stays in its top.
  const reaching =
    below && admission.below ? (admission.capabilityBelow ?? admission.capability) : undefined
  if (reaching && allows(reaching, access)) {
    return { ...ctx, ...admission, capability: reaching, subtree: true }
  }
  if (!allows(admission.capability, access)) {
    throw new AppError(403, 'auth.missing_permission', { permission: access.join(' ') })
  }
  return { ...ctx, ...admission, subtree: false }
}

const allows = (capability: Capability, access: readonly Access[]) =>
  access.some((one) => {
    if (one === 'member') return true
    const [resource, action] = one.split(':') as [Resource, Action]
    return can(capability, resource, action)
  })

/** `organization=nordwerk`, `organization=*` (the session's and all below), `organization=nordwerk.*`. */
function organizationOf(request: FastifyRequest, caller: Caller) {
  const { org } = request.params as { org?: string }
  const { organization } = request.query as { organization?: string | string[] }
  const named = org ?? (typeof organization === 'string' ? organization : undefined) ?? ''
  const below = named.endsWith('*')
  const plain = named.replace(/\.?\*$/, '')
  return { reference: plain === '' ? caller.org : plain, below }
}

function gone({ raw }: FastifyReply) {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

function parsed(endpoint: Endpoint, request: FastifyRequest) {
  const input: Record<string, unknown> = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const result = endpoint[part]?.safeParse(request[part])
    if (result?.error) throw invalid(part, result.error)
    if (result) input[part] = result.data
  }
  return input
}

/** A 400 that names each wrong field and what was expected of it. */
export function invalid(part: string, error: z.ZodError) {
  const fields = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  const message = fields.map(({ field, message: why }) => `${field || part}: ${why}`).join('; ')
  return new AppError(400, 'request.invalid', { message, part, fields })
}
