import { qualifiedName } from '@longreach/kit/person-name-rules'
import { pendingTotp } from '../factors/authenticator-app.ts'
import { alert, Html, html } from '../pages/page.ts'
import { newPasswordFields } from './password-fields.ts'
import { passkeyForm } from '../factors/passkey-form.ts'
import { startPasskey } from '../factors/passkey.ts'
import { type PasswordFault, shortestPassword } from '../passwords/password-rules.ts'
import { qrSvg } from '../factors/qr-code.ts'
import type { Call } from '../realms/realm-call.ts'
import { flowHolder, type SignInState } from './sign-in-flow.ts'
import { mayCancel } from './sign-in-rules.ts'
import { type PageContext, pageContext, sendStagePage } from './stage-page.ts'
import { inGroups, totpUri } from '../factors/totp-rules.ts'

type Tried = { wrong?: 'code' | 'passkey' }

const nameOf = ({ account }: SignInState) =>
  account ? qualifiedName(account.username, account.realm) : ''

/** Page to set up an authenticator app. */
export async function sendTotpSetUp(call: Call, state: SignInState, { wrong }: Tried = {}) {
  const { deps, realm } = call
  const { progress } = state
  const pen = pageContext(call, state)
  const { t } = pen
  const secret = await pendingTotp(deps, flowHolder(state))
  const uri = totpUri({ issuer: realm.label, username: nameOf(state), secret })
  const wanted = progress.strengthWanted && !progress.strong
  const content = html`<h1>${t('totpTitle')}</h1>
    ${wanted ? html`<p class="lead tight">${t('totpWanted')}</p>` : undefined}
    <p class="lead">${t('totpText')}</p>
    ${new Html(qrSvg(uri, t('totpPicture')))}
    <p class="help">${t('totpKey')} <code>${inGroups(secret)}</code></p>
    ${totpForm(pen, wrong)} ${wanted ? await passkeyInstead(call, state, pen) : undefined}
    ${cancelForm(state, pen)}`
  return sendStagePage(call, state, { pen, title: 'totpTitle', content, scripted: wanted })
}

function totpForm({ t, action }: PageContext, wrong: Tried['wrong']) {
  const problem =
    (wrong === 'code' && t('codeWrong')) ||
    (wrong === 'passkey' && t('passkeyUseless')) ||
    undefined
  const invalid =
    wrong === 'code' ? html` aria-invalid="true" aria-describedby="problem"` : undefined
  return html`<form method="post" action="${action}">
    ${alert(problem)}
    <input type="hidden" name="step" value="new-totp" />
    <div class="field">
      <label for="code">${t('code')}</label>
      <input
        id="code"
        name="code"
        class="code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength="12"
        required
        autofocus${invalid}
      />
    </div>
    <div class="field">
      <label for="label">${t('deviceName')}</label>
      <input id="label" name="label" autocomplete="off" maxlength="100" />
    </div>
    <button type="submit">${t('confirm')}</button>
  </form>`
}

async function passkeyInstead(call: Call, state: SignInState, { language, action }: PageContext) {
  if (!state.account) return undefined
  const options = await startPasskey(call.deps, state.account, flowHolder(state))
  const words = { button: 'passkeyInstead', failed: 'passkeyUseless' } as const
  return passkeyForm({ language, action, step: 'new-passkey', options, words })
}

const cancelForm = ({ stage, progress }: SignInState, { t, action }: PageContext) =>
  mayCancel(stage, progress)
    ? html`<form method="post" action="${action}" class="quiet">
        <input type="hidden" name="step" value="cancel" />
        <button type="submit" class="plain">${t('cancel')}</button>
      </form>`
    : undefined

/** Page with new recovery codes, which are shown once. */
export function sendRecoveryCodes(call: Call, state: SignInState, codes: readonly string[]) {
  const pen = pageContext(call, state)
  const { t, action } = pen
  const content = html`<h1>${t('codesTitle')}</h1>
    <p class="lead">${t('codesText')}</p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <form method="post" action="${action}">
      <input type="hidden" name="step" value="continue" />
      <button type="submit" autofocus>${t('codesStored')}</button>
    </form>`
  return sendStagePage(call, state, { pen, title: 'codesTitle', content, once: true })
}

/** Page to set a new password. */
export function sendNewPassword(
  call: Call,
  state: SignInState,
  fault?: PasswordFault | 'different' | 'samePassword',
) {
  const pen = pageContext(call, state)
  const { t, action } = pen
  const username = nameOf(state)
  const problem = fault && t(fault, { shortest: shortestPassword })
  const content = html`<h1>${t('updatePasswordTitle')}</h1>
    <p class="lead">${t('updatePasswordText', { username })}</p>
    <form method="post" action="${action}">
      ${alert(problem)}
      <input type="hidden" name="step" value="new-password" />
      ${newPasswordFields(pen, { username, wrong: fault !== undefined })}
      <button type="submit">${t('save')}</button>
    </form>
    ${cancelForm(state, pen)}`
  const status = fault ? 422 : 200
  return sendStagePage(call, state, { pen, title: 'updatePasswordTitle', content, status })
}
