import { confirmTotp } from '../factors/authenticator-app.ts'
import { finishPasskey } from '../factors/passkey.ts'
import { passkeyAnswer } from '../factors/passkey-form.ts'
import { completeFactorSetUp } from '../factors/factors.ts'
import { passwordFits } from '../passwords/password-hash.ts'
import { passwordFault } from '../passwords/password-rules.ts'
import type { Call } from '../realms/realm-call.ts'
import { sendNewPassword, sendRecoveryCodes, sendTotpSetUp } from './required-action-page.ts'
import { setPassword } from '../passwords/set-password.ts'
import { advance, flowHolder, type SignInState, type StepOutcome } from './sign-in-flow.ts'
import { mayCancel, type Method, withMethods } from './sign-in-rules.ts'
import { actingIn } from './sign-in-trail.ts'

/** POST: first code of a new authenticator app. */
export async function newTotp(call: Call, state: SignInState): Promise<StepOutcome> {
  const { deps, field } = call
  const { account } = state
  if (!account) return { state }
  const id = await confirmTotp(deps, {
    sub: account.sub,
    holder: flowHolder(state),
    code: field('code') ?? '',
    label: field('label') ?? '',
  })
  if (id === undefined) return { answer: await sendTotpSetUp(call, state, { wrong: 'code' }) }
  return completeSetUpStep(call, state, { id, type: 'otp', method: 'otp' })
}

/** POST: new passkey, where a second factor is required and the person has none. */
export async function newPasskey(call: Call, state: SignInState): Promise<StepOutcome> {
  const { deps, field } = call
  const { account } = state
  if (!account) return { state }
  const id = await finishPasskey(deps, {
    sub: account.sub,
    holder: flowHolder(state),
    label: '',
    response: passkeyAnswer(field('passkey')),
  })
  if (id === undefined) return { answer: await sendTotpSetUp(call, state, { wrong: 'passkey' }) }
  return completeSetUpStep(call, state, { id, type: 'webauthn', method: 'hwk' })
}

type Added = { id: string; type: 'otp' | 'webauthn'; method: Method }

/** Complete the set-up, which counts as use of the factor; a person without recovery codes gets them now. */
async function completeSetUpStep(
  call: Call,
  state: SignInState,
  { id, type, method }: Added,
): Promise<StepOutcome> {
  const { account, flow } = state
  if (!account) return { state }
  const codes = await completeFactorSetUp(call.deps, actingIn(call, account), { account, id, type })
  const after = await advance(call, state, {
    amr: withMethods(flow.amr, method, 'mfa'),
    done: [...flow.done, 'CONFIGURE_TOTP'],
  })
  return codes ? { answer: sendRecoveryCodes(call, after, codes) } : { state: after }
}

/** POST: new password. Every other session of the person ends. */
export async function newPassword(call: Call, state: SignInState): Promise<StepOutcome> {
  const { deps, field } = call
  const { account, interaction, flow } = state
  if (!account) return { state }
  const password = field('password') ?? ''
  const fault =
    passwordFault(password, account.username) ??
    (password === field('repeat') ? undefined : 'different') ??
    ((await passwordFits(password, account.passwordHash)) ? 'samePassword' : undefined)
  if (fault) return { answer: sendNewPassword(call, state, fault) }
  const own = interaction.session?.accountId === account.sub ? interaction.session.uid : undefined
  await setPassword(deps, actingIn(call, account), { account, password, keep: own })
  return { state: await advance(call, state, { done: [...flow.done, 'UPDATE_PASSWORD'] }) }
}

/** POST: cancel an action that only the portal requested. */
export async function cancelAction(call: Call, state: SignInState): Promise<StepOutcome> {
  const { stage, progress, flow } = state
  if (!mayCancel(stage, progress)) return { state }
  const changes = { done: [...flow.done, stage], action_status: 'cancelled' }
  return { state: await advance(call, state, changes) }
}
