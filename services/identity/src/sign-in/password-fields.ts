import { html } from '../pages/page.ts'
import { shortestPassword } from '../passwords/password-rules.ts'
import type { PageContext } from './stage-page.ts'

type Fields = { username: string; wrong: boolean }

/** Two fields for a new password; the hidden user name is for password managers. */
export function newPasswordFields({ t }: Pick<PageContext, 't'>, { username, wrong }: Fields) {
  const invalid = wrong ? html` aria-invalid="true"` : undefined
  return html`<input type="hidden" name="username" autocomplete="username" value="${username}" />
    <div class="field">
      <label for="password">${t('newPassword')}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        maxlength="512"
        required
        autofocus
        aria-describedby="help"
        ${invalid}
      />
      <p class="help" id="help">${t('passwordHelp', { shortest: shortestPassword })}</p>
    </div>
    <div class="field">
      <label for="repeat">${t('repeatPassword')}</label>
      <input
        id="repeat"
        name="repeat"
        type="password"
        autocomplete="new-password"
        maxlength="512"
        required${invalid}
      />
    </div>`
}
