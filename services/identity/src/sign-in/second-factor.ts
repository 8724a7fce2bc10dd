import { networkOf } from '@longreach/kit/network-of'
import { useTotpCode } from '../factors/authenticator-app.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { accountLimit, addressLimit } from './lockout-rules.ts'
import { countAttempt, resetAttempts } from './lockout-store.ts'
import { passkeyAnswer } from '../factors/passkey-form.ts'
import { usePasskey } from '../factors/passkey.ts'
import type { Call } from '../realms/realm-call.ts'
import { useRecoveryCode } from '../factors/recovery-codes.ts'
import { sendSecondFactor, type Way } from './second-factor-page.ts'
import { advance, flowHolder, type SignInState, type StepOutcome } from './sign-in-flow.ts'
import { type Method, withMethods } from './sign-in-rules.ts'
import { recordRefusal } from './sign-in-trail.ts'

type Guess = { kind: 'fits' } | { kind: 'wrong' } | { kind: 'locked'; retryAfterS: number }

/** Check of a code of a second factor, with the same lockout as for passwords. Every code is checked here. */
async function trySecondFactor(
  { db, secrets, now }: Pick<IdentityDeps, 'db' | 'secrets' | 'now'>,
  { sub, ip }: { sub: string; ip: string },
  fits: () => Promise<boolean>,
): Promise<Guess> {
  const account = `factor:${secrets.fingerprint('identity/second-factor', sub)}`
  const address = `address:${networkOf(ip)}`
  const keys = [
    { key: account, limit: accountLimit },
    { key: address, limit: addressLimit },
  ]
  const locked = await countAttempt(db, keys, now())
  if (locked) return { kind: 'locked', ...locked }
  if (!(await fits())) return { kind: 'wrong' }
  await resetAttempts(db, { account, address })
  return { kind: 'fits' }
}

/** POST: code of an authenticator app. */
export const totpPageStep = (call: Call, state: SignInState) =>
  codeStep(call, state, 'code', (sub, code) => useTotpCode(call.deps, sub, code))

/** POST: recovery code. */
export const recoveryStep = (call: Call, state: SignInState) =>
  codeStep(call, state, 'recovery', (sub, code) => useRecoveryCode(call.deps, sub, code))

async function codeStep(
  call: Call,
  state: SignInState,
  way: Way,
  use: (sub: string, code: string) => Promise<boolean>,
): Promise<StepOutcome> {
  const { deps, request, field } = call
  const { account } = state
  if (!account) return { state }
  const { sub } = account
  const guess = await trySecondFactor(deps, { sub, ip: request.ip }, () =>
    use(sub, field('code') ?? ''),
  )
  if (guess.kind === 'fits') return { state: await strengthened(call, state, ['otp']) }
  recordRefusal(call, { account, code: guess.kind === 'locked' ? 'locked' : 'second_factor_wrong' })
  const problem = guess.kind === 'wrong' ? { wrong: true } : { retryAfterS: guess.retryAfterS }
  return { answer: await sendSecondFactor(call, state, { way, ...problem }) }
}

/** POST: passkey of the person whose password was correct. */
export async function secondPasskey(call: Call, state: SignInState): Promise<StepOutcome> {
  const { deps, realm, field } = call
  const { account } = state
  if (!account) return { state }
  const found = await usePasskey(deps, {
    holder: flowHolder(state),
    realm: realm.name,
    response: passkeyAnswer(field('passkey')),
    sub: account.sub,
  })
  if (found) return { state: await strengthened(call, state, ['hwk']) }
  recordRefusal(call, { account, code: 'second_factor_wrong' })
  return { answer: await sendSecondFactor(call, state, { way: 'passkey', wrong: true }) }
}

const strengthened = (call: Call, state: SignInState, methods: Method[]) =>
  advance(call, state, { amr: withMethods(state.flow.amr, ...methods, 'mfa') })
