import { failure } from '@longreach/kit/errors'
import { z } from 'zod'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { bodyOf, requireRecentSignIn, refuseImpersonator, type Own } from './account-call.ts'
import { confirmTotp, pendingTotp } from '../factors/authenticator-app.ts'
import { identityContract } from '../contract.ts'
import { completeFactorSetUp, renewRecoveryCodes } from '../factors/factors.ts'
import { finishPasskey, startPasskey } from '../factors/passkey.ts'
import { refusedPassword, passwordFault } from '../passwords/password-rules.ts'
import { qrSvg } from '../factors/qr-code.ts'
import { setPassword } from '../passwords/set-password.ts'
import { strengthenSession } from '../sessions/session-store.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { type Method, withMethods } from '../sign-in/sign-in-rules.ts'
import { actingIn, recordRefusal } from '../sign-in/sign-in-trail.ts'
import { totpUri } from '../factors/totp-rules.ts'

const label = z.string().trim().max(100).default('')
const sessionHolder = ({ sid }: Own) => `session:${sid}`

/**
 * POST account/totp: secret, URI and QR code for an authenticator app. It becomes a second factor when
 * `finishTotp` confirms it.
 */
export async function startTotp(own: Own) {
  const { call, account } = own
  await requireRecentSignIn(call.deps.db, own)
  const secret = await pendingTotp(call.deps, sessionHolder(own))
  const username = qualifiedName(account.username, account.realm)
  const uri = totpUri({ issuer: call.realm.label, username, secret })
  return { secret, uri, qr: qrSvg(uri, username) }
}

/** POST account/totp/confirm: the first code. The answer has recovery codes if the person had none. */
export async function finishTotp(own: Own) {
  const { call, account } = own
  const { deps } = call
  await requireRecentSignIn(deps.db, own)
  const body = bodyOf(call, z.object({ code: z.string().max(20), label }))
  const id = await confirmTotp(deps, { sub: account.sub, holder: sessionHolder(own), ...body })
  if (id === undefined) {
    const message = 'Wrong code. Enter the code that the app shows now.'
    throw failure(identityContract, 'code_refused', { message, field: 'code' })
  }
  return completeSetUp(own, { id, type: 'otp', method: 'otp' })
}

/** POST account/recovery-codes: ten new codes; the previous ones become invalid. */
export async function renewCodes(own: Own) {
  const { call, account } = own
  await requireRecentSignIn(call.deps.db, own)
  return { recoveryCodes: await renewRecoveryCodes(call.deps, actingIn(call, account), account) }
}

/** POST account/passkeys/start: WebAuthn options with which the browser creates a passkey. */
export async function beginPasskey(own: Own) {
  const { call, account } = own
  await requireRecentSignIn(call.deps.db, own)
  return startPasskey(call.deps, account, sessionHolder(own))
}

/** POST account/passkeys: the credential that the browser created. */
export async function keepPasskey(own: Own) {
  const { call, account } = own
  const { deps } = call
  await requireRecentSignIn(deps.db, own)
  const body = bodyOf(call, z.object({ credential: z.looseObject({ id: z.string() }), label }))
  const id = await finishPasskey(deps, {
    sub: account.sub,
    holder: sessionHolder(own),
    label: body.label,
    response: body.credential,
  })
  if (id === undefined) {
    const message = 'The passkey does not belong to this request. Start again.'
    throw failure(identityContract, 'passkey_refused', { message })
  }
  return completeSetUp(own, { id, type: 'webauthn', method: 'hwk' })
}

type Kept = { id: string; type: 'otp' | 'webauthn'; method: Method }

/** Mark the session as signed in with the factor, since its set-up used it, and complete the set-up. */
async function completeSetUp({ call, account, session, sid }: Own, { id, type, method }: Kept) {
  const { deps, realm } = call
  const amr = withMethods(session.amr ?? [], method, 'mfa')
  await strengthenSession(deps.db, { realm: realm.name, uid: sid, amr })
  const recoveryCodes = await completeFactorSetUp(deps, actingIn(call, account), {
    account,
    id,
    type,
  })
  return { id, recoveryCodes }
}

const NewPassword = z.object({
  currentPassword: z.string().max(100_000).default(''),
  newPassword: z.string().max(100_000),
})

/** POST account/password: a new password, with the current one. Every other session of the person ends. */
export async function changePassword(own: Own) {
  const { call, account, sid } = own
  const { deps, realm, request } = call
  refuseImpersonator(own)
  const { currentPassword: password, newPassword } = bodyOf(call, NewPassword)
  // A person who signs in with a passkey only may have no password; then a recent sign-in is required.
  if (account.passwordHash === null) await requireRecentSignIn(deps.db, own)
  else {
    const { username } = account
    const attempt = { realm: realm.name, username, password, ip: request.ip, session: sid }
    const outcome = await signIn(deps, attempt)
    if (outcome.kind !== 'accepted') throw wrongPassword(own, outcome)
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
  recordRefusal(call, { account, code: outcome.kind === 'locked' ? 'locked' : 'password_wrong' })
  const field = 'currentPassword'
  if (outcome.kind === 'wrong') {
    const message = 'Wrong current password'
    return failure(identityContract, 'password_wrong', { message, field })
  }
  const { retryAfterS } = outcome
  const message = `Too many attempts. Try again in ${Math.ceil(retryAfterS / 60)} min`
  return failure(identityContract, 'locked', { message, field, retryAfterS })
}
