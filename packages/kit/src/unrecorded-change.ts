import type { FastifyRequest } from 'fastify'
import type { QueryExecutorProvider } from 'kysely'
import { recordChange } from './audit-trail.ts'
import type { Access, Contract, Endpoint } from './contract.ts'
import { Reply } from './reply.ts'
import type { CallerCtx } from './service.ts'

type Trail = { db: QueryExecutorProvider; onError: (error: unknown) => void }

const doing = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }

/**
 * Verb and object of a call for the audit trail: from its permission, otherwise from its method and
 * service.
 */
export function auditFacts({ service }: Contract, access: readonly Access[], { method }: Endpoint) {
  const permission = access.find((one) => one.includes(':'))
  const [resource = service, action = doing[method]] = permission?.split(':') ?? []
  return { resource, action }
}

/** Id from the path, without the organization: `3`, or `3/7`. */
export const idOf = ({ params }: FastifyRequest) =>
  Object.entries(params as Record<string, string>)
    .flatMap(([name, value]) => {
      if (name === 'org') return []
      return /token|secret|password/i.test(name) ? ['***'] : [value]
    })
    .join('/')

/** Largest part of a body in the audit trail, in bytes. */
const largestKept = 16 * 1024

type Done = {
  resource: string
  action: string
  id: string
  request: FastifyRequest
  result: unknown
}

/** Writes the audit entry of a change whose handler wrote none, with the request's input. */
export async function recordUnrecorded(trail: Trail | undefined, ctx: CallerCtx, done: Done) {
  const { request, result, ...what } = done
  if (!trail || ctx.call?.recorded === true || ctx.caller.kind === 'service') return
  // The change is committed already, so an error here must not fail the call.
  const bytes = Number(request.headers['content-length'] ?? 0)
  const after = bytes > largestKept ? { leftOut: `${bytes} bytes` } : request.body
  // A created resource has its id in the answer, and its name in the answer or in the request.
  const about = [...(ctx.call?.about ?? [])]
  const id = what.id || first(['id', 'deviceId'], result) || onlyId(about)
  const label = namesOf(about) || first(['label', 'name', 'username'], result, request.body)
  await recordChange(trail.db, ctx, { ...what, id, label, after }).catch(trail.onError)
}

type About = readonly (readonly [id: string, label: string])[]

const onlyId = (about: About) => (about.length === 1 ? (about[0]?.[0] ?? '') : '')

/** Names in an entry; further ones are counted. */
const mostNamed = 3
function namesOf(about: About) {
  const names = about.slice(0, mostNamed).map(([, label]) => label)
  const more = about.length - names.length
  return names.join(', ') + (more > 0 ? ` +${more}` : '')
}

/** First of some fields that one of the values has as text or number; empty when none has. */
function first(names: readonly string[], ...values: readonly unknown[]) {
  const found = values
    .filter((value) => typeof value === 'object' && value !== null && !(value instanceof Reply))
    .flatMap((value) => names.map((name) => (value as Record<string, unknown>)[name]))
    .find((field) => (typeof field === 'string' && field !== '') || typeof field === 'number')
  return found === undefined ? '' : String(found)
}
