import { browserSession } from '../sessions/browser-session.ts'
import { problemPage } from '../pages/error-page.ts'
import { pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import { sendLogin } from './password-page.ts'
import { knownBrowserCookie, rememberBrowser } from './known-browser.ts'
import { passkeyAnswer } from '../factors/passkey-form.ts'
import { usePasskey } from '../factors/passkey.ts'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { cancelAction, newPasskey, newPassword, newTotp } from './required-action.ts'
import { sendNewPassword, sendTotpSetUp } from './required-action-page.ts'
import { recoveryStep, secondPasskey, totpPageStep } from './second-factor.ts'
import { sendSecondFactor } from './second-factor-page.ts'
import { endSession, epochS } from '../sessions/session-store.ts'
import { signIn } from './sign-in.ts'
import {
  addressOf,
  advance,
  flowHolder,
  type SignInState,
  signInState,
  type StepOutcome,
} from './sign-in-flow.ts'
import { acrOf, type Stage } from './sign-in-rules.ts'
import { recordSignIn, recordSignInRefusal } from './sign-in-trail.ts'
import { say } from '../pages/words.ts'

/** GET: page of the step that is due. */
export async function showLogin(call: Call) {
  const state = await signInState(call)
  return state ? showStage(call, state) : expired(call)
}

type Step = { at: Stage | 'any'; take: (call: Call, state: SignInState) => Promise<StepOutcome> }

const steps = new Map<string, Step>([
  // Name and password are accepted at any step and start the sign-in again.
  ['password', { at: 'any', take: checkSignInPassword }],
  ['passkey', { at: 'any', take: takePasskey }],
  ['restart', { at: 'any', take: async (call, state) => ({ state: await restart(call, state) }) }],
  ['continue', { at: 'any', take: async (_, state) => ({ state }) }],
  ['totp', { at: 'second-factor', take: totpPageStep }],
  ['recovery', { at: 'second-factor', take: recoveryStep }],
  ['new-totp', { at: 'CONFIGURE_TOTP', take: newTotp }],
  ['new-passkey', { at: 'CONFIGURE_TOTP', take: newPasskey }],
  ['new-password', { at: 'UPDATE_PASSWORD', take: newPassword }],
  ['cancel', { at: 'any', take: cancelAction }],
])

/** POST: take the input of a step. A step that is not due is answered with the page of the due one. */
export async function takeLogin(call: Call) {
  const state = await signInState(call)
  if (!state) return expired(call)
  const step = steps.get(call.field('step') ?? 'password')
  if (!step || (step.at !== 'any' && step.at !== state.stage)) return showStage(call, state)
  const outcome = await step.take(call, state)
  if ('answer' in outcome) return outcome.answer
  if (outcome.state.stage === 'done') return finish(call, outcome.state)
  const language = call.query['kc_locale']
  const chosen = typeof language === 'string' ? `?kc_locale=${encodeURIComponent(language)}` : ''
  return redirect(call, `${addressOf(call, outcome.state)}${chosen}`)
}

function showStage(call: Call, state: SignInState) {
  switch (state.stage) {
    case 'password':
      return sendLogin(call, state, { username: hint(state) })
    case 'second-factor':
      return sendSecondFactor(call, state)
    case 'CONFIGURE_TOTP':
      return sendTotpSetUp(call, state)
    case 'UPDATE_PASSWORD':
      return sendNewPassword(call, state)
    case 'done':
      return finish(call, state)
  }
}

const hint = ({ interaction }: SignInState) => {
  const { login_hint: wish } = interaction.params
  return typeof wish === 'string' ? wish.slice(0, 255) : ''
}

async function checkSignInPassword(call: Call, state: SignInState): Promise<StepOutcome> {
  const { deps, realm, request, field } = call
  const username = field('username') ?? ''
  const password = field('password') ?? ''
  const known = knownBrowserCookie(call)
  const attempt = { realm: realm.name, username, password, ip: request.ip, known }
  const outcome = await signIn(deps, attempt)
  if (outcome.kind !== 'accepted') {
    await recordSignInRefusal(call, { username, locked: outcome.kind === 'locked' })
    const problem =
      outcome.kind === 'wrong' ? { wrong: true } : { retryAfterS: outcome.retryAfterS }
    return { answer: await sendLogin(call, state, { username, ...problem }) }
  }
  rememberBrowser(call, outcome.account.username)
  return { state: await recognized(call, state, outcome.account.sub, ['pwd']) }
}

/**
 * Take a passkey: on the first page it identifies the person and counts as both factors; on the second
 * it is the second factor.
 */
async function takePasskey(call: Call, state: SignInState): Promise<StepOutcome> {
  const { stage } = state
  if (stage === 'second-factor') return secondPasskey(call, state)
  if (stage !== 'password') return { answer: await showStage(call, state) }
  const response = passkeyAnswer(call.field('passkey'))
  const question = { holder: flowHolder(state), realm: call.realm.name, response }
  const found = await usePasskey(call.deps, question)
  if (!found?.userVerified) {
    await recordSignInRefusal(call, { username: '', locked: false })
    return { answer: await sendLogin(call, state, { username: '', passkeyWrong: true }) }
  }
  const { sub } = found.account
  return { state: await recognized(call, state, sub, ['hwk', 'user', 'mfa']) }
}

const recognized = (call: Call, state: SignInState, sub: string, amr: string[]) =>
  advance(call, state, {
    sub,
    amr,
    authenticated_at: new Date(epochS() * 1000),
    done: [],
    action_status: null,
  })

const restart = (call: Call, state: SignInState) =>
  advance(call, state, {
    sub: null,
    amr: [],
    authenticated_at: null,
    done: [],
    action_status: null,
  })

/** Pass the result to the provider and redirect to it; it then redirects to the client. */
async function finish(call: Call, state: SignInState) {
  const { interaction, flow, account, progress } = state
  const { request } = call
  if (!account || !flow.authenticated_at) return expired(call)
  await leaveOtherPerson(call, state, account.sub)
  const { amr } = flow
  const acr = acrOf(amr)
  const ts = Math.floor(flow.authenticated_at.getTime() / 1000)
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 300)
  interaction.result = {
    login: { accountId: account.sub, remember: false, amr, acr, ts },
    from: { ip: request.ip, userAgent },
    ...(progress.askedAction && {
      action: { name: progress.askedAction, status: flow.action_status ?? 'success' },
    }),
  }
  await interaction.save(interaction.exp - epochS())
  await recordSignIn(call, account, amr)
  return redirect(call, interaction.returnTo)
}

const redirect = ({ reply }: Call, to: string) =>
  reply.code(303).header('cache-control', 'no-store').redirect(to, 303)

/**
 * End the session of another person in this browser, from before or from another tab, so that a new one
 * starts.
 */
async function leaveOtherPerson(call: Call, { interaction }: SignInState, sub: string) {
  const here = [interaction.session, await browserSession(call)]
  const others = new Set(here.flatMap((one) => (one && one.accountId !== sub ? [one.uid] : [])))
  if (others.size === 0) return
  for (const uid of others) await endSession(call.deps.db, call.realm.name, uid)
  interaction.session = undefined
  const name = call.realm.provider.cookieName('session')
  call.reply.header('set-cookie', clearedCookies(call, [name, `${name}.sig`]))
}

/** `Set-Cookie` values that delete cookies of the realm. */
export const clearedCookies = ({ realm }: Pick<Call, 'realm'>, names: readonly string[]) =>
  names.map(
    (name) => `${name}=; path=${realmPath(realm, '/')}; expires=Thu, 01 Jan 1970 00:00:00 GMT`,
  )

function expired({ request, reply, realm, query }: Call) {
  const language = languageOf(request.headers, query)
  const { origin } = realm
  return reply
    .code(400)
    .headers(pageHeaders(origin))
    .send(problemPage(language, origin, say(language, 'expired')))
}
