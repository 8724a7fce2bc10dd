import type { FastifyRequest } from 'fastify'
import type { QueryExecutorProvider } from 'kysely'
import { recordChange } from './audit-trail.ts'
import type { Access, Contract, Endpoint } from './contract.ts'
import { Reply } from './reply.ts'
import type { CallerCtx } from './service.ts'

type Trail = { db: QueryExecutorProvider; onError: (error: unknown) => void }

const doing = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }

/** What a call does to what: as its permission says, else by its method on something of the service. */
export function facts({ service }: Contract, access: readonly Access[], { method }: Endpoint) {
  const permission = access.find((one) => one.includes(':'))
  const [resource = service, action = doing[method]] = permission?.split(':') ?? []
  return { resource, action }
}

/** What the path names beside the organization: `3`, or `3/7`. */
export const idOf = ({ params }: FastifyRequest) =>
  Object.entries(params as Record<string, string>)
    .flatMap(([name, value]) => {
      if (name === 'org') return []
      return /token|secret|password/i.test(name) ? ['***'] : [value]
    })
    .join('/')

/** Bytes of a body that may go into the audit trail. */
const largestKept = 16 * 1024

type Done = {
  resource: string
  action: string
  id: string
  request: FastifyRequest
  result: unknown
}

/** A change whose handler did not record it stands in the trail with what was asked for. */
export async function recordUnrecorded(trail: Trail | undefined, ctx: CallerCtx, done: Done) {
  const { request, result, ...what } = done
  if (!trail || ctx.call?.recorded === true || ctx.caller.kind === 'service') return
  // The change stands already: an answer that it failed would be wrong.
  const bytes = Number(request.headers['content-length'] ?? 0)
  const after = bytes > largestKept ? { leftOut: `${bytes} bytes` } : request.body
  // What a call made has its id in the answer, and its name in the answer or the question.
  const about = [...(ctx.call?.about ?? [])]
  const id = what.id || first(['id', 'deviceId'], result) || onlyId(about)
  const label = namesOf(about) || first(['label', 'name', 'username'], result, request.body)
  await recordChange(trail.db, ctx, { ...what, id, label, after }).catch(trail.onError)
}

type About = readonly (readonly [id: string, label: string])[]

const onlyId = (about: About) => (about.length === 1 ? (about[0]?.[0] ?? '') : '')

/** Names in a line of the trail; of more than these it says how many more. */
const mostNamed = 3
function namesOf(about: About) {
  const names = about.slice(0, mostNamed).map(([, label]) => label)
  const more = about.length - names.length
  return names.join(', ') + (more > 0 ? ` +${more}` : '')
}

/** The first of some fields that one of the values has as a text or number; an empty text when none has. */
function first(names: readonly string[], ...values: readonly unknown[]) {
  const found = values
    .filter((value) => typeof value === 'object' && value !== null && !(value instanceof Reply))
    .flatMap((value) => names.map((name) => (value as Record<string, unknown>)[name]))
    .find((field) => (typeof field === 'string' && field !== '') || typeof field === 'number')
  return found === undefined ? '' : String(found)
}
