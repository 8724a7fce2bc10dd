import { AppError } from '@longreach/kit/errors'
import type { CallerCtx } from '@longreach/kit/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { RealmDeps } from '../identity-deps.ts'
import type { Realm, Realms } from '../realms/realm.ts'

/** Request of an administration client to one realm. */
export type AdminCall = {
  deps: RealmDeps
  realms: Realms
  realm: Realm
  request: FastifyRequest
  reply: FastifyReply
  /** Administration client as caller, for the audit trail and the handlers of the contract. */
  ctx: CallerCtx
  param: (name: string) => string
}

/** Refusal with the status and body that Keycloak’s Admin REST answers. */
export class AdminError extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    super('refused')
    this.status = status
    this.body = body
  }
}

export const noSuchUser = () => new AdminError(404, { error: 'User not found' })
export const noSuchClient = () => new AdminError(404, { error: 'Could not find client' })

/** Part of a request by its schema; fails with 400 that names the wrong field. */
export function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value)
  if (data !== undefined && !error) return data
  const [issue] = error?.issues ?? []
  const errorMessage = [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')
  throw new AdminError(400, { errorMessage })
}

const statuses: Record<string, () => AdminError> = {
  'identity.no_such_account': noSuchUser,
  'identity.no_such_client': noSuchClient,
  'identity.username_taken': () =>
    new AdminError(409, { errorMessage: 'User exists with same username' }),
  'identity.password_refused': () =>
    new AdminError(400, { error: 'invalidPasswordMessage', error_description: 'Refused password' }),
}

/** Error of a handler of the contract as Keycloak answers it; any other error as it is. */
export const asAdminError = (error: unknown) =>
  error instanceof AppError ? (statuses[error.code]?.() ?? error) : error
