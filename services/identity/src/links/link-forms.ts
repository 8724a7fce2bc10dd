import { qualifiedName } from '@longreach/kit/person-name-rules'
import type { StoredAccount } from '../accounts/account-store.ts'
import type { Link } from '../accounts/link-store.ts'
import { linkPath } from '../accounts/one-time-link.ts'
import { alert, type Html, html, page } from '../pages/page.ts'
import { type PasswordFault, shortestPassword } from '../passwords/password-rules.ts'
import { realmPath } from '../realms/realm-call.ts'
import type { Realm } from '../realms/realm.ts'
import { type Language, say, type Word } from '../pages/words.ts'

export type LinkFault = PasswordFault | 'different'

type Shown = { language: Language; realm: Realm; token: string; account: StoredAccount }
type Names = { firstName: string; lastName: string }

const invitation = {
  title: 'invitationTitle',
  text: 'invitationText',
  password: 'password',
  repeat: 'repeatThisPassword',
  save: 'accept',
} as const
const reset = {
  title: 'linkTitle',
  text: 'linkText',
  password: 'newPassword',
  repeat: 'repeatPassword',
  save: 'save',
} as const

/** Attributes of the two password fields: the wrong one is marked and focused. */
function marksOf(fault: LinkFault | undefined, invited: boolean) {
  const wrong = html` autofocus aria-invalid="true" aria-describedby="help problem"`
  const fine = html` aria-describedby="help"`
  const begin = html` autofocus aria-describedby="help"`
  if (fault === 'different') return { first: fine, second: wrong }
  return { first: fault ? wrong : invited ? fine : begin, second: undefined }
}

/** Page on which a person sets a password; on an invitation also their name. */
export function passwordForm({
  language,
  realm,
  token,
  account,
  link,
  names,
  fault,
}: Shown & { link: Link; names: Names; fault: LinkFault | undefined }) {
  const t = (word: Word, values = {}) =>
    say(language, word, { shortest: shortestPassword, ...values })
  const invited = link.purpose === 'invitation'
  const username = qualifiedName(account.username, account.realm)
  const organization = link.organization_label ?? realm.label
  const says = invited ? invitation : reset
  const title = t(says.title, { organization })
  const address = realmPath(realm, `${linkPath}/${token}`)
  const { first, second } = marksOf(fault, invited)
  const content = html`<h1>${title}</h1>
    <p class="lead">${t(says.text, { username })}</p>
    <form method="post" action="${address}?kc_locale=${language}">
      ${alert(fault && t(fault))}
      <input type="hidden" name="username" autocomplete="username" value="${username}" />
      ${invited ? nameFields(t, names, fault ? undefined : html` autofocus`) : undefined}
      <div class="field">
        <label for="password">${t(says.password)}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="new-password"
          maxlength="512"
          required${first}
        />
        <p class="help" id="help">${t('passwordHelp')}</p>
      </div>
      <div class="field">
        <label for="repeat">${t(says.repeat)}</label>
        <input
          id="repeat"
          name="repeat"
          type="password"
          autocomplete="new-password"
          maxlength="512"
          required${second}
        />
      </div>
      <button type="submit">${t(says.save)}</button>
    </form>`
  return page({ language, title, content, languagesAt: address })
}

const nameFields = (
  t: (word: Word) => string,
  { firstName, lastName }: Names,
  begin: Html | undefined,
) =>
  html`<div class="field">
      <label for="firstName">${t('firstName')}</label>
      <input
        id="firstName"
        name="firstName"
        value="${firstName}"
        autocomplete="given-name"
        maxlength="255"
        ${begin}
      />
    </div>
    <div class="field">
      <label for="lastName">${t('lastName')}</label>
      <input
        id="lastName"
        name="lastName"
        value="${lastName}"
        autocomplete="family-name"
        maxlength="255"
      />
    </div>`

/**
 * Page with a button that confirms an e-mail address. Opening the link confirms nothing, since mail
 * programs open links to scan them.
 */
export function emailForm({ language, realm, token, account, email }: Shown & { email: string }) {
  const address = realmPath(realm, `${linkPath}/${token}`)
  const title = say(language, 'emailTitle')
  const username = qualifiedName(account.username, account.realm)
  const content = html`<h1>${title}</h1>
    <p class="lead">${say(language, 'emailText', { email, username })}</p>
    <form method="post" action="${address}?kc_locale=${language}">
      <button type="submit" autofocus>${say(language, 'confirmAddress')}</button>
    </form>`
  return page({ language, title, content, languagesAt: address })
}
