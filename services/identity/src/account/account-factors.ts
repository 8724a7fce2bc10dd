import { failure } from '@longreach/kit/errors'
import { z } from 'zod'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { bodyOf, mustBeFresh, mustBeSelf, type Own } from './account-call.ts'
import { confirmTotp, pendingTotp } from '../factors/authenticator-app.ts'
import { identityContract } from '../contract.ts'
import { factorAdded, renewRecoveryCodes } from '../factors/factors.ts'
import { finishPasskey, startPasskey } from '../factors/passkey.ts'
import { refusedPassword, passwordFault } from '../passwords/password-rules.ts'
import { qrSvg } from '../factors/qr-code.ts'
import { setPassword } from '../passwords/set-password.ts'
import { strengthenSession } from '../sessions/session-store.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { type Method, withMethods } from '../sign-in/sign-in-rules.ts'
import { actingIn, noteRefused } from '../sign-in/sign-in-trail.ts'
import { totpUri } from '../factors/totp-rules.ts'

const label = z.string().trim().max(100).default('')
const holderOf = ({ sid }: Own) => `session:${sid}`

/** POST account/totp: a secret to put into an authenticator program. It counts when confirmed. */
export async function startTotp(own: Own) {
  const { call, account } = own
  await mustBeFresh(call.deps.db, own)
  const secret = await pendingTotp(call.deps, holderOf(own))
  const username = qualifiedName(account.username, account.realm)
  const uri = totpUri({ issuer: call.realm.label, username, secret })
  return { secret, uri, qr: qrSvg(uri, username) }
}

/** POST account/totp/confirm: the first code. The answer has recovery codes if there were none. */
export async function finishTotp(own: Own) {
  const { call, account } = own
  const { deps } = call
  await mustBeFresh(deps.db, own)
  const body = bodyOf(call, z.object({ code: z.string().max(20), label }))
  const id = await confirmTotp(deps, { sub: account.sub, holder: holderOf(own), ...body })
  if (id === undefined) {
    const message = 'The code is not the one that the program shows now'
    throw failure(identityContract, 'code_refused', { message, field: 'code' })
  }
  return kept(own, { id, type: 'otp', method: 'otp' })
}

/** POST account/recovery-codes: ten new ones; the old are void. */
export async function renewCodes(own: Own) {
  const { call, account } = own
  await mustBeFresh(call.deps.db, own)
  return { recoveryCodes: await renewRecoveryCodes(call.deps, actingIn(call, account), account) }
}

/** POST account/passkeys/start: what the browser needs to make one. */
export async function beginPasskey(own: Own) {
  const { call, account } = own
  await mustBeFresh(call.deps.db, own)
  return startPasskey(call.deps, account, holderOf(own))
}

/** POST account/passkeys: what the browser made. */
export async function keepPasskey(own: Own) {
  const { call, account } = own
  const { deps } = call
  await mustBeFresh(deps.db, own)
  const body = bodyOf(call, z.object({ credential: z.looseObject({ id: z.string() }), label }))
  const id = await finishPasskey(deps, {
    sub: account.sub,
    holder: holderOf(own),
    label: body.label,
    response: body.credential,
  })
  if (id === undefined) {
    const message = 'The passkey was not made for this request; begin again'
    throw failure(identityContract, 'passkey_refused', { message })
  }
  return kept(own, { id, type: 'webauthn', method: 'hwk' })
}

type Kept = { id: string; type: 'otp' | 'webauthn'; method: Method }

/** The factor was used in being set up: the session counts as one that has it. */
async function kept({ call, account, session, sid }: Own, { id, type, method }: Kept) {
  const { deps, realm } = call
  const amr = withMethods(session.amr ?? [], method, 'mfa')
  await strengthenSession(deps.db, { realm: realm.name, uid: sid, amr })
  const recoveryCodes = await factorAdded(deps, actingIn(call, account), { account, id, type })
  return { id, recoveryCodes }
}

const NewPassword = z.object({
  currentPassword: z.string().max(100_000).default(''),
  newPassword: z.string().max(100_000),
})

/** POST account/password: with the present one. Every other session of the person ends. */
export async function changePassword(own: Own) {
  const { call, account, sid } = own
  const { deps, realm, request } = call
  mustBeSelf(own)
  const { currentPassword: password, newPassword } = bodyOf(call, NewPassword)
  // A person who came by a passkey alone may have none yet; their young sign-in stands for it.
  if (account.passwordHash === null) await mustBeFresh(deps.db, own)
  else {
    const { username } = account
    const attempt = { realm: realm.name, username, password, ip: request.ip, session: sid }
    const outcome = await signIn(deps, attempt)
    if (outcome.kind !== 'welcome') throw wrongPassword(own, outcome)
  }
  const fault = passwordFault(newPassword, account.username)
  if (fault) {
    throw failure(identityContract, 'password_refused', {
      ...refusedPassword(fault),
      field: 'newPassword',
    })
  }
  await setPassword(deps, actingIn(call, account), { account, password: newPassword, keep: sid })
}

type Refusal = { kind: 'wrong' } | { kind: 'locked'; retryAfterS: number }

function wrongPassword({ call, account }: Own, outcome: Refusal) {
  noteRefused(call, { account, code: outcome.kind === 'locked' ? 'locked' : 'password_wrong' })
  const field = 'currentPassword'
  if (outcome.kind === 'wrong') {
    const message = 'This is not your present password'
    return failure(identityContract, 'password_wrong', { message, field })
  }
  const { retryAfterS } = outcome
  const message = `Too many attempts; try again in ${Math.ceil(retryAfterS / 60)} min`
  return failure(identityContract, 'locked', { message, field, retryAfterS })
}
