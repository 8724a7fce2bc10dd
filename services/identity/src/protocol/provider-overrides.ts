import type { Model, Provider } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { mayRedirect } from '../clients/oauth-clients.ts'
import { startRefresh, currentRefresh } from './provider-adapter.ts'
import { refreshTokens } from './refresh-token.ts'
import { endSession, extendSession } from '../sessions/session-store.ts'

type Options = { realm: string; origins: readonly string[] }

/**
 * Overrides of classes of oidc-provider for the behaviour of Keycloak. oidc-provider does not document
 * these methods; they were read in 9.13.3, the version is pinned, and a test names it.
 */
export function overrideProvider(
  provider: Provider,
  { db, pool, secrets }: Pick<IdentityDeps, 'db' | 'pool' | 'secrets'>,
  { realm, origins }: Options,
) {
  overrideSessions(provider, db, realm)
  overrideRefreshTokens(provider, { db, pool, secrets }, realm)
  const client = provider.Client.prototype
  client.includeSid = () => true
  client.redirectUriAllowed = function (this: { clientId: string }, address: string) {
    return mayRedirect(this.clientId, address, origins)
  }
}

/**
 * Override sessions: `sid` is the id of the session for every client, and the end of a session publishes
 * an event.
 */
function overrideSessions({ Session }: Provider, db: IdentityDeps['db'], realm: string) {
  Session.prototype.ensureClientContainer = function (clientId) {
    if (this.sidFor(clientId) === undefined) this.sidFor(clientId, this.uid)
  }
  const destroy = Session.prototype.destroy
  Session.prototype.destroy = async function () {
    await endSession(db, realm, this.uid)
    await destroy.call(this)
  }
}

/** Override refresh tokens: they are JWTs, and using one extends its session. */
function overrideRefreshTokens(
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
        : await extendSession(db, { realm, uid: sessionUid, found: sessionFound(sessionUid) })
    // The session may have got a second factor since the previous token.
    if (session) Object.assign(this, { acr: session.acr, amr: session.amr })
    const { payload } = await asStored.call(this)
    const facts = { ...(payload as { jti: string; exp: number; iat: number }), accountId, clientId }
    return { value: tokens.sign({ ...facts, jti: this.jti }), payload }
  }
  const find = RefreshToken.find
  RefreshToken.find = async function (value, options) {
    const id = tokens.idOf(value)
    if (id === undefined) return undefined
    await startRefresh(pool, realm, id)
    return find.call(this, id, options)
  }
}

/** Session that was read with the refresh token, if it was. */
function sessionFound(uid: string) {
  const { session, session_ends: expires_at } = currentRefresh() ?? {}
  return session?.uid === uid && expires_at ? { payload: session, expires_at } : undefined
}
