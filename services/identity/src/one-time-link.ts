import { randomBytes } from 'node:crypto'
import { qualifiedName } from './account-rules.ts'
import { accountBySub, type StoredAccount, updateAccount } from './account-store.ts'
import type { IdentityDeps } from './identity-deps.ts'
import { alert, html, page, pageHeaders } from './page.ts'
import { languageOf } from './page-language.ts'
import { hashPassword } from './password-hash.ts'
import { type PasswordFault, passwordFault, shortestPassword } from './password-rules.ts'
import { below, type Call } from './realm-call.ts'
import { endSessionsOf } from './session-store.ts'
import { say } from './words.ts'

const validForMs = 15 * 60_000
const path = '/login-actions/action-token'
const fingerprintOf = ({ secrets }: Pick<IdentityDeps, 'secrets'>, token: string) =>
  secrets.fingerprint('identity/one-time-link', token)

/** A link on which the person sets a new password: 256 bits, kept only as a fingerprint; older links end. */
export async function makeOneTimeLink(
  deps: Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>,
  { sub, realm }: { sub: string; realm: string },
) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(deps.now().getTime() + validForMs)
  await deps.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('one_time_link').where('sub', '=', sub).execute()
    await tx
      .insertInto('one_time_link')
      .values({ fingerprint: fingerprintOf(deps, token), sub, expires_at })
      .execute()
  })
  return `${deps.site.origin}/auth/realms/${realm}${path}/${token}`
}

/** GET: the form. It consumes nothing, since mail programs open links to look at them. */
export async function showLink(call: Call) {
  const account = await linkedAccount(call)
  return account ? sendForm(call, account) : gone(call)
}

/** POST: the new password. The link is used up with it, and every session of the person ends. */
export async function takeLink(call: Call) {
  const { deps, field } = call
  const account = await linkedAccount(call)
  if (!account) return gone(call)
  const password = field('password') ?? ''
  const fault =
    passwordFault(password, account.username) ??
    (password === field('repeat') ? undefined : 'different')
  if (fault) return sendForm(call, account, fault)
  const password_hash = await hashPassword(password)
  const used = await deps.db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('one_time_link')
      .where('fingerprint', '=', fingerprintOf(deps, tokenOf(call)))
      .executeTakeFirst()
    // Of two at once, one finds the link.
    if (numDeletedRows === 0n) return false
    await updateAccount(tx, account.sub, { password_hash })
    await endSessionsOf(tx, account.sub)
    return true
  })
  return used ? saved(call) : gone(call)
}

const tokenOf = ({ request }: Call) => (request.params as { token: string }).token

async function linkedAccount(call: Call): Promise<StoredAccount | undefined> {
  const { deps, realm } = call
  const link = await deps.db
    .selectFrom('one_time_link')
    .select('sub')
    .where('fingerprint', '=', fingerprintOf(deps, tokenOf(call)))
    .where('expires_at', '>', deps.now())
    .executeTakeFirst()
  const account = link && (await accountBySub(deps.db, link.sub))
  return account?.realm === realm.name && account.enabled ? account : undefined
}

function sendForm(call: Call, account: StoredAccount, fault?: PasswordFault | 'different') {
  const { request, reply, realm, query } = call
  const language = languageOf(request.headers, query)
  const t = (word: Parameters<typeof say>[1], values = {}) =>
    say(language, word, { shortest: shortestPassword, ...values })
  const username = qualifiedName(account.username, account.realm)
  const address = below(realm, `${path}/${tokenOf(call)}`)
  const content = html`<h1>${t('linkTitle')}</h1>
    <p class="lead">${t('linkText', { username })}</p>
    <form method="post" action="${address}?kc_locale=${language}">
      ${alert(fault && t(fault))}
      <input type="hidden" name="username" autocomplete="username" value="${username}" />
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
        />
        <p class="help" id="help">${t('passwordHelp')}</p>
      </div>
      <div class="field">
        <label for="repeat">${t('repeatPassword')}</label>
        <input
          id="repeat"
          name="repeat"
          type="password"
          autocomplete="new-password"
          maxlength="512"
          required
        />
      </div>
      <button type="submit">${t('save')}</button>
    </form>`
  const body = page({ language, title: t('linkTitle'), content, languagesAt: address })
  return reply
    .code(fault ? 422 : 200)
    .headers(pageHeaders(realm.origin))
    .send(body)
}

function saved(call: Call) {
  return message(call, 200, 'saved')
}

function gone(call: Call) {
  return message(call, 410, 'linkGone')
}

function message(
  { request, reply, realm, query }: Call,
  status: number,
  kind: 'saved' | 'linkGone',
) {
  const language = languageOf(request.headers, query)
  const title = say(language, `${kind}Title`)
  const content = html`<h1>${title}</h1>
    <p class="lead">${say(language, `${kind}Text`)}</p>
    <a class="button" href="${realm.origin}/">${say(language, 'toPortal')}</a>`
  return reply
    .code(status)
    .headers(pageHeaders(realm.origin))
    .send(page({ language, title, content }))
}
