import type { Refusals } from '@longreach/kit/refusals'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityDeps } from '../identity-deps.ts'
import type { Realm } from './realm.ts'

/** A request to one realm: what every route below `/auth/realms/{realm}` works with. */
export type Call = {
  deps: IdentityDeps
  realm: Realm
  request: FastifyRequest
  reply: FastifyReply
  /** Where refused sign-ins are told to the audit trail. */
  refused: Refusals
  query: Record<string, unknown>
  /** The fields of a form that was sent; of several with one name the first, all in `form`. */
  field: (name: string) => string | undefined
  form: URLSearchParams
}

export const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The path of this realm's sign-in pages and protocol. */
export const below = (realm: Realm, path: string) => `${new URL(realm.issuer).pathname}${path}`
