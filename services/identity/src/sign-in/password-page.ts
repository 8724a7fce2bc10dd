import { forgottenPath } from './forgotten-path.ts'
import { alert, html, note } from '../pages/page.ts'
import { passkeyForm } from '../factors/passkey-form.ts'
import { requestPasskey } from '../factors/passkey.ts'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { flowHolder, type SignInState } from './sign-in-flow.ts'
import { endingText } from './ended-words.ts'
import { lockedText, type PageContext, pageContext, sendStagePage } from './stage-page.ts'

type Tried = { username: string; wrong?: boolean; passkeyWrong?: boolean; retryAfterS?: number }

/** First page of the sign-in: name and password, or a passkey. */
export async function sendLogin(call: Call, state: SignInState, tried: Tried) {
  const { deps, realm } = call
  const pen = pageContext(call, state)
  const { t, language, action } = pen
  const options = await requestPasskey(deps, flowHolder(state))
  const first = !tried.wrong && !tried.passkeyWrong && tried.retryAfterS === undefined
  const content = html`<h1>${t('signInTo', { realm: realm.label })}</h1>
    ${note(first ? endingText(language, state.interaction.params['signed_out']) : undefined)}
    ${signInForm(pen, tried)}
    ${passkeyForm({
      language,
      action,
      step: 'passkey',
      options,
      words: { button: 'passkeySignIn', failed: 'passkeyFailed' },
    })}
    <p class="other">
      <a href="${realmPath(realm, forgottenPath)}?kc_locale=${language}">${t('forgotten')}</a>
    </p>
    <p class="other"><a href="${realm.origin}/login?choose">${t('otherOrganization')}</a></p>`
  const { retryAfterS } = tried
  return sendStagePage(call, state, { pen, title: 'signIn', content, scripted: true, retryAfterS })
}

function signInForm(pen: PageContext, { username, wrong, passkeyWrong, retryAfterS }: Tried) {
  const { t, action } = pen
  const refused = (wrong && t('wrong')) || (passkeyWrong && t('passkeyFailed')) || undefined
  const problem = retryAfterS === undefined ? refused : lockedText(pen, retryAfterS)
  const invalid =
    problem && !passkeyWrong ? html` aria-invalid="true" aria-describedby="problem"` : undefined
  // After a typed name the focus is on the password.
  const [first, second] = username === '' ? [html` autofocus`] : [undefined, html` autofocus`]
  return html`<form method="post" action="${action}">
    ${alert(problem)}
    <input type="hidden" name="step" value="password" />
    <div class="field">
      <label for="username">${t('username')}</label>
      <input
        id="username"
        name="username"
        value="${username}"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        maxlength="255"
        required${first}${invalid}
      />
    </div>
    <div class="field">
      <label for="password">${t('password')}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        maxlength="512"
        required${second}${invalid}
      />
    </div>
    <button type="submit">${t('signIn')}</button>
  </form>`
}
