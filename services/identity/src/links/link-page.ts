import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import { accountBySub, type StoredAccount, updateAccount } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import { confirmEmail } from '../account/email-change.ts'
import { emailForm, type LinkFault, passwordForm } from './link-forms.ts'
import { type Link, findValidLink, spendLink } from '../accounts/link-store.ts'
import { html, page, pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { passwordFault } from '../passwords/password-rules.ts'
import type { Call } from '../realms/realm-call.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { actingIn } from '../sign-in/sign-in-trail.ts'
import { say } from '../pages/words.ts'

type Linked = { link: Link; account: StoredAccount }

/** GET: page of a link. It does not use the link up, since mail programs open links to scan them. */
export async function showLinkPage(call: Call) {
  const linked = await linkedAccount(call)
  return linked ? sendLinkForm(call, linked) : sendLinkExpired(call)
}

/** POST: do what the link is for, and use it up. */
export async function takeLink(call: Call) {
  const linked = await linkedAccount(call)
  if (!linked) return sendLinkExpired(call)
  if (linked.link.purpose === 'email') {
    const { deps, request, query } = call
    const language = languageOf(request.headers, query)
    return (await confirmEmail(deps, { ...linked, language }))
      ? message(call, 200, 'confirmed')
      : sendLinkExpired(call)
  }
  return saveLinkPassword(call, linked)
}

async function saveLinkPassword(call: Call, linked: Linked) {
  const { deps, field } = call
  const { link, account } = linked
  const password = field('password') ?? ''
  const fault =
    passwordFault(password, account.username) ??
    (password === field('repeat') ? undefined : 'different')
  if (fault) return sendLinkForm(call, linked, fault)
  const password_hash = await hashPassword(password)
  const used = await deps.db.transaction().execute(async (tx) => {
    if (!(await spendLink(tx, link))) return false
    const { sub } = account
    const changed = await updateAccount(tx, sub, {
      password_hash,
      required_actions: account.requiredActions.filter((one) => one !== 'UPDATE_PASSWORD'),
      ...namesIn(call, link),
    })
    await endSessionsOf(tx, sub)
    const told = { resource: 'account', action: 'password', id: sub, label: account.username }
    await recordChange(tx, actingIn(call, account), told)
    if (changed && link.purpose === 'invitation') {
      const { email, firstName, lastName } = changed
      const event = { sub, email, firstName, lastName }
      await publish(tx, identityContract.events.accountChanged, event)
    }
    return true
  })
  return used ? message(call, 200, 'saved', destinationOf(call, link)) : sendLinkExpired(call)
}

/** Names that were typed on an invitation. Its link was mailed, which proves the address. */
function namesIn({ deps, field }: Call, { purpose }: Link) {
  if (purpose !== 'invitation') return {}
  const name = (key: string) => (field(key) ?? '').trim().slice(0, 255)
  return {
    first_name: name('firstName'),
    last_name: name('lastName'),
    ...(deps.site.mail && { email_verified: true }),
  }
}

const destinationOf = ({ realm }: Call, { organization }: Link) =>
  `${realm.origin}/?${new URLSearchParams({
    realm: realm.name,
    ...(organization !== null && { org: organization }),
  })}`

const linkTokenOf = ({ request }: Call) => (request.params as { token: string }).token

async function linkedAccount(call: Call): Promise<Linked | undefined> {
  const { deps, realm } = call
  const link = await findValidLink(deps.db, deps, linkTokenOf(call))
  const account = link && (await accountBySub(deps.db, link.sub))
  if (!link || account?.realm !== realm.name || !account.enabled) return undefined
  return { link, account }
}

function sendLinkForm(call: Call, { link, account }: Linked, fault?: LinkFault) {
  const { request, reply, realm, query, field } = call
  const language = languageOf(request.headers, query)
  const token = linkTokenOf(call)
  const names = {
    firstName: field('firstName') ?? account.firstName,
    lastName: field('lastName') ?? account.lastName,
  }
  const form =
    link.purpose === 'email'
      ? emailForm({ language, realm, token, account, email: link.email ?? '' })
      : passwordForm({ language, realm, token, account, link, names, fault })
  return reply
    .code(fault ? 422 : 200)
    .headers(pageHeaders(realm.origin))
    .send(form)
}

const sendLinkExpired = (call: Call) => message(call, 410, 'linkGone')

function message(
  { request, reply, realm, query }: Call,
  status: number,
  kind: 'saved' | 'confirmed' | 'linkGone',
  destination = `${realm.origin}/`,
) {
  const language = languageOf(request.headers, query)
  const title = say(language, `${kind}Title`)
  const content = html`<h1>${title}</h1>
    <p class="lead">${say(language, `${kind}Text`)}</p>
    <a class="button" href="${destination}">${say(language, 'toPortal')}</a>`
  return reply
    .code(status)
    .headers(pageHeaders(realm.origin))
    .send(page({ language, title, content }))
}
