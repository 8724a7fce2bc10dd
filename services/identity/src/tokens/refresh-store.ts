import { newestEvent } from '@longreach/kit/events'
import type { Pool } from 'pg'
import type { StoredAccount } from '../accounts/account-store.ts'
import type { Payload } from '../identity-tables.ts'
import { rightsTopics } from '../organizations-contract.ts'

const account = `jsonb_build_object('sub', a.sub, 'realm', a.realm, 'username', a.username,
  'email', a.email, 'firstName', a.first_name, 'lastName', a.last_name, 'enabled', a.enabled,
  'serviceAccount', a.service_account, 'emailVerified', a.email_verified,
  'requiredActions', a.required_actions, 'passwordHash', a.password_hash)`

/** Refresh token with its grant, session and account, as they are now. */
export type RefreshStanding = {
  token: Payload
  consumed_at: Date | null
  grant: Payload | null
  session: Payload | null
  session_ends: Date | null
  account: StoredAccount | null
  /** Newest event of core when this was read. */
  newest: number
}

const standing = {
  name: 'identity-refresh-standing',
  text: `
  select t.payload as token, t.consumed_at, g.payload as grant, s.payload as session,
    s.expires_at as session_ends, case when a.sub is not null then ${account} end as account,
    ${newestEvent('$4::text[]')} as newest
  from identity.oidc_record t
  left join identity.oidc_record g on g.realm = t.realm and g.model = 'Grant'
    and g.id = t.payload->>'grantId' and g.expires_at > $3
  left join identity.oidc_record s on s.realm = t.realm and s.model = 'Session'
    and s.uid = t.payload->>'sessionUid' and s.expires_at > $3
  left join identity.account a on a.sub = (t.payload->>'accountId')::uuid
  where t.realm = $1 and t.model = 'RefreshToken' and t.id = $2 and t.expires_at > $3`,
}

/** Refresh token and its records in one query; the provider would read them one after another. */
export async function refreshStanding(
  pool: Pool,
  realm: string,
  id: string,
): Promise<RefreshStanding | undefined> {
  const values = [realm, id, new Date(), rightsTopics]
  const { rows } = await pool.query<RefreshStanding>({ ...standing, values })
  return rows[0]
}

const rotation = {
  name: 'identity-refresh-rotation',
  text: `
  with used as (
    update identity.oidc_record set consumed_at = coalesce(consumed_at, $3)
    where realm = $1 and model = 'RefreshToken' and id = $2
      and (consumed_at is null or consumed_at > $4)
    returning id)
  insert into identity.oidc_record
    (realm, model, id, payload, expires_at, uid, grant_id, user_code, account)
  select $1, 'RefreshToken', $5, $6::jsonb, $7, $8::text, $9, null, $10 from used
  where exists (select from identity.oidc_record
    where realm = $1 and model = 'Session' and uid = $11 and expires_at > $3)`,
}

type Rotation = {
  realm: string
  /** Id of the token that is used up. */
  used: string
  /** Milliseconds for which a used token is accepted again. */
  graceMs: number
  /** Id of the next token. */
  fresh: string
  payload: Payload
  expiresInS: number
}

/**
 * Use a refresh token up and save the next one in one statement: of many calls at once after the grace
 * time one succeeds, and none when the session has ended. False when no token was saved.
 */
export async function rotateRefreshToken(
  pool: Pool,
  { realm, used, graceMs, fresh, payload, expiresInS }: Rotation,
) {
  const now = Date.now()
  const { rowCount } = await pool.query({
    ...rotation,
    values: [
      realm,
      used,
      new Date(now),
      new Date(now - graceMs),
      fresh,
      JSON.stringify(payload),
      new Date(now + expiresInS * 1000),
      payload.uid ?? null,
      payload.grantId ?? null,
      payload.accountId ?? null,
      payload['sessionUid'] ?? null,
    ],
  })
  return rowCount === 1
}

const bearer = {
  name: 'identity-bearer-standing',
  text: `
  select s.payload as session, ${account} as account, ${newestEvent('$5::text[]')} as newest
  from identity.oidc_record s
  join identity.account a on a.sub = $3
  where s.realm = $1 and s.model = 'Session' and s.uid = $2 and s.expires_at > $4`,
}

type BearerStanding = { session: Payload; account: StoredAccount; newest: number }

/** Session of an access token that has not ended, and its account. */
export async function bearerStanding(
  pool: Pool,
  { realm, session, sub }: { realm: string; session: string; sub: string },
) {
  const values = [realm, session, sub, new Date(), rightsTopics]
  const { rows } = await pool.query<BearerStanding>({ ...bearer, values })
  return rows[0]
}
