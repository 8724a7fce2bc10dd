import { type Kysely, sql } from 'kysely'
import { errors } from 'oidc-provider'
import type { IdentityDb, Payload } from '../identity-tables.ts'

/** Milliseconds for which a used refresh token is accepted again, since its answer may have been lost. */
export const refreshGraceMs = 10_000

/** Payload for the provider: `consumed` is set when the record was used, except within the grace time. */
export function asFound(payload: Payload, consumedAt: Date | null, graceMs: number): Payload {
  if (consumedAt === null) return payload
  if (graceMs > 0 && consumedAt.getTime() > Date.now() - graceMs) return payload
  return { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) }
}

/**
 * Storage of oidc-provider for one realm. Times are those of the process, as in the provider. `consume`
 * is one compare-and-set: of many calls at once, one wins; a losing call revokes the grant of the
 * record, as for a code that is used again (RFC 6749, 4.1.2).
 */
export const adapterOf = (db: Kysely<IdentityDb>, realm: string) => (model: string) => {
  const graceMs = model.endsWith('RefreshToken') ? refreshGraceMs : 0
  const own = () =>
    db.selectFrom('oidc_record').selectAll().where('realm', '=', realm).where('model', '=', model)
  const read = async (query: ReturnType<typeof own>): Promise<Payload | undefined> => {
    const row = await query.where('expires_at', '>', new Date()).executeTakeFirst()
    return row && asFound(row.payload, row.consumed_at, graceMs)
  }
  /**
   * Delete the grant of a record and all of its tokens; a token that is saved afterwards is invalid
   * without its grant.
   */
  const withdrawGrantOf = async (id: string) => {
    const grant = (await own().where('id', '=', id).executeTakeFirst())?.grant_id
    if (grant === undefined || grant === null) return
    await db
      .deleteFrom('oidc_record')
      .where('realm', '=', realm)
      .where((is) => is.or([is('grant_id', '=', grant), is.and({ model: 'Grant', id: grant })]))
      .execute()
  }
  return {
    find: (id: string) => read(own().where('id', '=', id)),
    findByUid: (uid: string) => read(own().where('uid', '=', uid)),
    findByUserCode: (code: string) => read(own().where('user_code', '=', code)),

    async upsert(id: string, payload: Payload, expiresInS: number) {
      const row = {
        payload: JSON.stringify(payload),
        expires_at: new Date(Date.now() + expiresInS * 1000),
        uid: payload.uid ?? null,
        grant_id: payload.grantId ?? null,
        user_code: payload.userCode ?? null,
        account: payload.accountId ?? null,
      }
      await db
        .insertInto('oidc_record')
        .values({ realm, model, id, ...row })
        .onConflict((conflict) => conflict.columns(['realm', 'model', 'id']).doUpdateSet(row))
        .execute()
    },

    async consume(id: string) {
      const { numUpdatedRows } = await db
        .updateTable('oidc_record')
        .set({ consumed_at: sql<Date>`coalesce(consumed_at, ${new Date()})` })
        .where('realm', '=', realm)
        .where('model', '=', model)
        .where('id', '=', id)
        .where((is) => {
          const unused = is('consumed_at', 'is', null)
          if (graceMs === 0) return unused
          return is.or([unused, is('consumed_at', '>', new Date(Date.now() - graceMs))])
        })
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return
      await withdrawGrantOf(id)
      throw new errors.InvalidGrant(`${model} already used`)
    },

    async destroy(id: string) {
      await db
        .deleteFrom('oidc_record')
        .where('realm', '=', realm)
        .where('model', '=', model)
        .where('id', '=', id)
        .execute()
    },

    async revokeByGrantId(grantId: string) {
      await db
        .deleteFrom('oidc_record')
        .where('realm', '=', realm)
        .where('grant_id', '=', grantId)
        .execute()
    },
  }
}
