import type { Model, Provider } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { mayRedirect } from '../clients/oauth-clients.ts'
import { beginRenewing, renewingNow } from './provider-adapter.ts'
import { refreshTokens } from './refresh-token.ts'
import { endSession, keepSession } from '../sessions/session-store.ts'

type Options = { realm: string; origins: readonly string[] }

/**
 * Where the provider's classes are bent to Keycloak's ways. None of these seams is documented by
 * oidc-provider; they were read in 9.13.3, the version is pinned, and a test names it.
 */
export function bendProvider(
  provider: Provider,
  { db, pool, secrets }: Pick<IdentityDeps, 'db' | 'pool' | 'secrets'>,
  { realm, origins }: Options,
) {
  bendSessions(provider, db, realm)
  bendRefreshTokens(provider, { db, pool, secrets }, realm)
  const client = provider.Client.prototype
  client.includeSid = () => true
  client.redirectUriAllowed = function (this: { clientId: string }, address: string) {
    return mayRedirect(this.clientId, address, origins)
  }
}

/** `sid` is the session's own id for every client, and its end is told to the house. */
function bendSessions({ Session }: Provider, db: IdentityDeps['db'], realm: string) {
  Session.prototype.ensureClientContainer = function (clientId) {
    if (this.sidFor(clientId) === undefined) this.sidFor(clientId, this.uid)
  }
  const destroy = Session.prototype.destroy
  Session.prototype.destroy = async function () {
    await endSession(db, realm, this.uid)
    await destroy.call(this)
  }
}

/** Refresh tokens are JWTs; using one keeps its session alive. */
function bendRefreshTokens(
  { RefreshToken, issuer }: Provider,
  { db, pool, secrets }: Pick<IdentityDeps, 'db' | 'pool' | 'secrets'>,
  realm: string,
) {
  const tokens = refreshTokens(secrets, { realm, issuer })
  const asStored = RefreshToken.prototype.getValueAndPayload
  RefreshToken.prototype.getValueAndPayload = async function (this: Model) {
    const { accountId = '', clientId = '', sessionUid } = this
    const session =
      sessionUid === undefined
        ? undefined
        : await keepSession(db, { realm, uid: sessionUid, found: sessionFound(sessionUid) })
    // A second factor may have come to the session since the token before.
    if (session) Object.assign(this, { acr: session.acr, amr: session.amr })
    const { payload } = await asStored.call(this)
    const facts = { ...(payload as { jti: string; exp: number; iat: number }), accountId, clientId }
    return { value: tokens.sign({ ...facts, jti: this.jti }), payload }
  }
  const find = RefreshToken.find
  RefreshToken.find = async function (value, options) {
    const id = tokens.idOf(value)
    if (id === undefined) return undefined
    await beginRenewing(pool, realm, id)
    return find.call(this, id, options)
  }
}

/** The session as it was read with the refresh token, if it was. */
function sessionFound(uid: string) {
  const { session, session_ends: expires_at } = renewingNow() ?? {}
  return session?.uid === uid && expires_at ? { payload: session, expires_at } : undefined
}
