import { failure } from '@longreach/kit/errors'
import { invalid } from '@longreach/kit/parse-request'
import type { z } from 'zod'
import { bearerOf } from '../tokens/access-token.ts'
import type { StoredAccount } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import { hasSecondFactor } from '../factors/credential-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { Payload } from '../identity-tables.ts'
import type { Call } from '../realms/realm-call.ts'
import { epochS, findSession, impersonated } from '../sessions/session-store.ts'
import { freshForS } from '../sign-in/sign-in-rules.ts'

/** Request of a person for their own account, with the session that its token names. */
export type Own = { call: Call; account: StoredAccount; session: Payload; sid: string }

type Answer = (own: Own) => Promise<unknown>

/**
 * Handler of an account route. The caller needs an access token of a session that has not ended; tokens
 * of service accounts and anything else get 401.
 */
export const ownAccount = (answer: Answer) => async (call: Call) => {
  const { deps, realm, request, reply } = call
  void reply.header('cache-control', 'no-store')
  const bearer = await bearerOf(deps, realm, request.headers.authorization)
  if (!bearer) return refuseAccountToken(call)
  const { sid } = bearer.claims
  const session = await findSession(deps.db, realm.name, sid)
  if (session?.accountId !== bearer.account.sub) return refuseAccountToken(call)
  const body = await answer({ call, account: bearer.account, session, sid })
  return body === undefined ? reply.code(204).send() : reply.send(body)
}

const refuseAccountToken = ({ reply, realm }: Call) =>
  reply
    .code(401)
    .header('www-authenticate', `Bearer realm="${realm.name}", error="invalid_token"`)
    .send({ error: 'invalid_token', error_description: 'Token verification failed' })

/** JSON body of the request; a body that does not fit the schema is refused with 400 and names the field. */
export function bodyOf<T extends z.ZodType>({ request }: Call, schema: T): z.output<T> {
  const { data, error } = schema.safeParse(request.body ?? {})
  if (error) throw invalid('body', error)
  return data
}

/**
 * Refuse a session in which an administrator impersonates the person: they may read the account and
 * change nothing of it.
 */
export function refuseImpersonator({ session }: Pick<Own, 'session'>) {
  if (!session.amr?.includes(impersonated)) return
  const message =
    'An administrator who impersonates a person cannot change how that person signs in'
  throw failure(identityContract, 'acting_as_somebody', { message })
}

type Fresh = Pick<Own, 'session'> & { account: Pick<StoredAccount, 'sub'> }

/**
 * Refuse a change of credentials unless the sign-in is at most `freshForS` old and, where the person has
 * a second factor, was made with it.
 */
export async function requireRecentSignIn(db: IdentityDeps['db'], { session, account }: Fresh) {
  refuseImpersonator({ session })
  const young = epochS() - (session.loginTs ?? 0) <= freshForS
  if (young && (session.acr === '2' || !(await hasSecondFactor(db, account.sub)))) return
  const message = 'Sign in again to continue: this change needs a sign-in of the last five minutes'
  throw failure(identityContract, 'sign_in_again', { message, maxAgeS: freshForS })
}
