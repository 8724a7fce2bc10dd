import { qualifiedName } from '@longreach/kit/person-name-rules'
import { alert, html } from '../pages/page.ts'
import { passkeyForm } from '../factors/passkey-form.ts'
import { requestPasskey } from '../factors/passkey.ts'
import { type Call, text } from '../realms/realm-call.ts'
import { addressOf, flowHolder, type SignInState } from './sign-in-flow.ts'
import { lockedText, type PageContext, pageContext, sendStagePage } from './stage-page.ts'

/** Kind of proof on the page of the second factor. */
export type Way = 'code' | 'recovery' | 'passkey'
type Tried = { way?: Way; wrong?: boolean; retryAfterS?: number }

/** Page of the second factor: code or passkey, depending on what the person has. */
export async function sendSecondFactor(call: Call, state: SignInState, tried: Tried = {}) {
  const { factors, account } = state
  const pen = pageContext(call, state)
  const { t, language, action } = pen
  const way = wayOf(call, state, tried)
  const username = account ? qualifiedName(account.username, account.realm) : ''
  const options =
    factors.passkey && way !== 'recovery'
      ? await requestPasskey(call.deps, flowHolder(state), account?.sub)
      : undefined
  const words = { button: 'usePasskey', failed: 'passkeyFailed' } as const
  const content = html`<h1>${t('secondFactorTitle')}</h1>
    <p class="lead">${t(leads[way], { username })}</p>
    ${way === 'passkey' ? alert(problemOf(pen, way, tried)) : codeForm(pen, way, tried)}
    ${options && passkeyForm({ language, action, step: 'passkey', options, words, plain: way !== 'passkey' })}
    <p class="other">${otherWay(call, state, { pen, way })}</p>
    <form method="post" action="${action}" class="quiet">
      <input type="hidden" name="step" value="restart" />
      <button type="submit" class="link">${t('otherPerson')}</button>
    </form>`
  const { retryAfterS } = tried
  const scripted = options !== undefined
  return sendStagePage(call, state, {
    pen,
    title: 'secondFactorTitle',
    content,
    scripted,
    retryAfterS,
  })
}

const leads = { code: 'codeText', recovery: 'recoveryText', passkey: 'passkeyText' } as const

function wayOf({ query }: Call, { factors }: SignInState, { way }: Tried): Way {
  if (way) return way
  if (text(query['use']) === 'recovery') return 'recovery'
  return factors.app ? 'code' : 'passkey'
}

function problemOf(pen: PageContext, way: Way, { wrong, retryAfterS }: Tried) {
  if (retryAfterS !== undefined) return lockedText(pen, retryAfterS)
  if (!wrong) return undefined
  const words = { code: 'codeWrong', recovery: 'recoveryWrong', passkey: 'passkeyFailed' } as const
  return pen.t(words[way])
}

function codeForm(pen: PageContext, way: 'code' | 'recovery', tried: Tried) {
  const { t, action } = pen
  const problem = problemOf(pen, way, tried)
  const invalid = problem ? html` aria-invalid="true" aria-describedby="problem"` : undefined
  const kind =
    way === 'code'
      ? html` inputmode="numeric" autocomplete="one-time-code" maxlength="12"`
      : html` autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="40"`
  return html`<form method="post" action="${action}">
    ${alert(problem)}
    <input type="hidden" name="step" value="${way === 'code' ? 'totp' : 'recovery'}" />
    <div class="field">
      <label for="code">${t(way === 'code' ? 'code' : 'recoveryCode')}</label>
      <input id="code" name="code" class="code" required autofocus${kind}${invalid} />
    </div>
    <button type="submit">${t('confirm')}</button>
  </form>`
}

type Shown = { pen: PageContext; way: Way }

function otherWay(call: Call, state: SignInState, { pen: { t, language }, way }: Shown) {
  const address = `${addressOf(call, state)}?kc_locale=${language}`
  if (way !== 'recovery') return html`<a href="${address}&use=recovery">${t('useRecovery')}</a>`
  return html`<a href="${address}">${t(state.factors.app ? 'useCode' : 'usePasskey')}</a>`
}
