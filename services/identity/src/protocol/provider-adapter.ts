import type { Kysely } from 'kysely'
import { type Context, errors, Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import type { IdentityDb, Payload } from '../identity-tables.ts'
import { adapterOf, asFound, refreshGraceMs } from './oidc-adapter.ts'
import {
  type RefreshStanding,
  refreshStanding,
  rotateRefreshToken,
} from '../tokens/refresh-store.ts'

/**
 * Refresh in progress: the records of its token, read together, and true in `using` until the token is
 * consumed.
 */
type Renewing = RefreshStanding & { id: string; using: boolean }

const renewing = new WeakMap<Context, Renewing>()

/** Records of the refresh that the current request makes; undefined for other requests. */
export function currentRefresh(): Renewing | undefined {
  const { ctx } = Provider
  return ctx && renewing.get(ctx)
}

/** Read a refresh token with its grant, session and account, which the provider asks for next. */
export async function startRefresh(pool: Pool, realm: string, id: string) {
  const found = await refreshStanding(pool, realm, id)
  const { ctx } = Provider
  if (found && ctx) renewing.set(ctx, { ...found, id, using: false })
}

/**
 * Storage of oidc-provider in which a refresh needs one statement to read and one to write: a used token
 * is consumed together with saving the next one.
 */
export const providerAdapter = (db: Kysely<IdentityDb>, pool: Pool, realm: string) => {
  const stored = adapterOf(db, realm)
  return (model: string) => {
    const plain = stored(model)
    if (model === 'RefreshToken') return { ...plain, ...rotating(plain, pool, realm) }
    if (model === 'Grant') {
      const find = async (id: string) => {
        const { token, grant } = currentRefresh() ?? {}
        return token?.grantId === id && grant ? grant : plain.find(id)
      }
      return { ...plain, find }
    }
    if (model === 'Session') {
      const findByUid = async (uid: string) => {
        const { token, session } = currentRefresh() ?? {}
        return token?.['sessionUid'] === uid && session ? session : plain.findByUid(uid)
      }
      return { ...plain, findByUid }
    }
    return plain
  }
}

const rotating = (plain: ReturnType<ReturnType<typeof adapterOf>>, pool: Pool, realm: string) => ({
  async find(id: string) {
    const now = currentRefresh()
    return now?.id === id ? asFound(now.token, now.consumed_at, refreshGraceMs) : plain.find(id)
  },
  async consume(id: string) {
    const now = currentRefresh()
    if (now?.id !== id) return plain.consume(id)
    now.using = true
  },
  async upsert(fresh: string, payload: Payload, expiresInS: number) {
    const now = currentRefresh()
    if (!now?.using) return plain.upsert(fresh, payload, expiresInS)
    const about = { realm, used: now.id, graceMs: refreshGraceMs, fresh, payload, expiresInS }
    if (!(await rotateRefreshToken(pool, about))) {
      throw new errors.InvalidGrant('RefreshToken already used')
    }
    now.using = false
  },
})
