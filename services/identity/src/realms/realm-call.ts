import type { Refusals } from '@longreach/kit/refusals'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RealmDeps } from '../identity-deps.ts'
import type { Realm } from './realm.ts'

/** Request to one realm, as every route below `/auth/realms/{realm}` gets it. */
export type Call = {
  deps: RealmDeps
  realm: Realm
  request: FastifyRequest
  reply: FastifyReply
  /** Recorder of refused sign-ins in the audit trail. */
  refused: Refusals
  query: Record<string, unknown>
  /** Field of the form that was sent, the first of several with one name. */
  field: (name: string) => string | undefined
  /** All fields of the form that was sent. */
  form: URLSearchParams
}

export const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Path below this realm, for its pages and protocol. */
export const realmPath = (realm: Realm, path: string) => `${new URL(realm.issuer).pathname}${path}`
