import type { Model, Provider } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { mayRedirect } from '../clients/oauth-clients.ts'
import { refreshTokens } from './refresh-token.ts'
import { endSession, keepSession } from '../sign-in/session-store.ts'

type Options = { realm: string; origin: string }

/**
 * Where the provider's classes are bent to Keycloak's ways. None of these seams is documented by
 * oidc-provider; they were read in 9.13.3, the version is pinned, and a test names it.
 */
export function bendProvider(
  provider: Provider,
  { db, secrets }: Pick<IdentityDeps, 'db' | 'secrets'>,
  { realm, origin }: Options,
) {
  bendSessions(provider, db, realm)
  bendRefreshTokens(provider, { db, secrets }, realm)
  const client = provider.Client.prototype
  client.includeSid = () => true
  client.redirectUriAllowed = function (this: { clientId: string }, address: string) {
    return mayRedirect(this.clientId, address, origin)
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
  { db, secrets }: Pick<IdentityDeps, 'db' | 'secrets'>,
  realm: string,
) {
  const tokens = refreshTokens(secrets, { realm, issuer })
  const asStored = RefreshToken.prototype.getValueAndPayload
  RefreshToken.prototype.getValueAndPayload = async function (this: Model) {
    const { accountId = '', clientId = '', sessionUid } = this
    const session = sessionUid === undefined ? undefined : await keepSession(db, realm, sessionUid)
    // A second factor may have come to the session since the token before.
    if (session) Object.assign(this, { acr: session.acr, amr: session.amr })
    const { payload } = await asStored.call(this)
    const facts = { ...(payload as { jti: string; exp: number; iat: number }), accountId, clientId }
    return { value: await tokens.sign({ ...facts, jti: this.jti }), payload }
  }
  const find = RefreshToken.find
  RefreshToken.find = async function (value, options) {
    const id = await tokens.idOf(value)
    return id === undefined ? undefined : find.call(this, id, options)
  }
}
