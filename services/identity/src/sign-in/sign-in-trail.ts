import { recordChange } from '@longreach/kit/audit-trail'
import { AppError } from '@longreach/kit/errors'
import type { CallerCtx } from '@longreach/kit/service'
import { localName, qualifiedName } from '@longreach/kit/person-name-rules'
import { accountByName, accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import type { Call } from '../realms/realm-call.ts'
import { findSession } from '../sessions/session-store.ts'

type Where = Pick<Call, 'deps' | 'request'>

/** Person as caller for the audit trail, acting on the pages of identity. */
export const actingIn = (
  { deps, request }: Where,
  { sub, username, realm }: StoredAccount,
): CallerCtx => ({
  caller: { kind: 'user', sub, username: qualifiedName(username, realm), realm },
  now: deps.now(),
  ip: request.ip,
  signal: request.signal,
})

/**
 * Record a sign-in, and its time in the account. Impersonation is not recorded as a sign-in of the
 * person.
 */
export async function recordSignIn(call: Where, account: StoredAccount, amr: readonly string[]) {
  const { db, now } = call.deps
  await db
    .updateTable('account')
    .set({ last_sign_in_at: now() })
    .where('sub', '=', account.sub)
    .execute()
  await recordChange(db, actingIn(call, account), {
    resource: 'session',
    action: 'signIn',
    id: account.sub,
    label: account.username,
    after: { amr },
  })
}

/** Record a sign-out; nothing for a session that has already ended. */
export async function recordSignOut(call: Call, uid: string) {
  const { deps, realm } = call
  const session = await findSession(deps.db, realm.name, uid)
  const sub = session?.accountId
  const account = sub === undefined ? undefined : await accountBySub(deps.db, sub)
  if (!account) return
  const { username: label } = account
  const change = { resource: 'session', action: 'signOut', id: account.sub, label }
  await recordChange(deps.db, actingIn(call, account), change)
}

type Refused = { account: StoredAccount | undefined; code: string }

/** Record a refused sign-in; the same refusal within seconds is one entry. */
export function recordRefusal(call: Call, { account, code }: Refused) {
  const { deps, realm, request, refused } = call
  const caller = { kind: 'nobody', sub: '', username: '', realm: realm.name } as const
  const ctx: CallerCtx = { caller, now: deps.now(), ip: request.ip, signal: request.signal }
  const what = { resource: 'session', action: 'signIn', id: account?.sub ?? '', organization: '' }
  const status = code === 'locked' ? 429 : 401
  refused.note(ctx, { call: 'identity.signIn', ...what }, new AppError(status, `identity.${code}`))
}

/**
 * Record a refused name and password. Only an existing account is named, since people type passwords
 * into the field of the name.
 */
export async function recordSignInRefusal(
  call: Call,
  { username, locked }: { username: string; locked: boolean },
) {
  const { deps, realm } = call
  const name = localName(username.slice(0, 255), realm.name)
  const account = name === '' ? undefined : await accountByName(deps.db, realm.name, name)
  recordRefusal(call, { account, code: locked ? 'locked' : 'sign_in_refused' })
}
