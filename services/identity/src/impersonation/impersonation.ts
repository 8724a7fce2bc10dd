import { accountBySub } from '../accounts/account-store.ts'
import { problemPage } from '../pages/error-page.ts'
import {
  beginImpersonation,
  findImpersonation,
  type Impersonation,
} from '../sessions/impersonation-store.ts'
import { html, page, pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { impersonated } from '../sessions/session-store.ts'
import { startSession } from '../sign-in/start-session.ts'
import { personClaims } from '../tokens/token-claims.ts'
import { say } from '../pages/words.ts'

/** Path of the page below a realm. */
export const impersonationPath = '/login-actions/impersonate'

/**
 * GET: page that asks for confirmation. It does not use the link up, since mail programs open links to
 * scan them.
 */
export async function showImpersonation(call: Call) {
  const { deps, realm, request, reply, query } = call
  const found = await findImpersonationLink(call)
  if (!found) return sendImpersonationExpired(call)
  const { account, wish } = found
  const language = languageOf(request.headers, query)
  const username = personClaims(account).preferred_username
  const t = (word: Parameters<typeof say>[1]) =>
    say(language, word, { username, by: wish.by_username })
  const address = realmPath(realm, `${impersonationPath}/${impersonationTokenOf(call)}`)
  const content = html`<h1>${t('impersonateTitle')}</h1>
    <p class="lead">${t('impersonateText')}</p>
    <form method="post" action="${address}?kc_locale=${language}">
      <button type="submit" autofocus>${t('impersonate')}</button>
      <a class="button plain" href="${deps.site.origin}/">${t('impersonateNot')}</a>
    </form>`
  const body = page({ language, title: t('impersonateTitle'), content, languagesAt: address })
  return reply.headers(pageHeaders(realm.origin)).send(body)
}

/** POST: use the link up and sign the browser in as the person. */
export async function takeImpersonation(call: Call) {
  const { deps, realm, reply } = call
  const found = await findImpersonationLink(call)
  if (!found) return sendImpersonationExpired(call)
  const begun = await startSession(call, {
    ...impersonationSession(found.wish),
    claim: (uid) => beginImpersonation(deps, impersonationTokenOf(call), uid),
  })
  if (!begun) return sendImpersonationExpired(call)
  return reply
    .header('set-cookie', begun.cookies)
    .header('cache-control', 'no-store')
    .redirect(`${realm.origin}/`, 303)
}

/** Subject, `amr` and `acr` of a session of impersonation. */
export const impersonationSession = ({ sub, second_factor: strong }: Impersonation) => ({
  sub,
  amr: strong ? [impersonated, 'mfa'] : [impersonated],
  acr: strong ? ('2' as const) : ('1' as const),
})

const impersonationTokenOf = ({ request }: Call) => (request.params as { token: string }).token

async function findImpersonationLink(call: Call) {
  const { deps, realm } = call
  const wish = await findImpersonation(deps, realm.name, impersonationTokenOf(call))
  if (!wish) return undefined
  const account = await accountBySub(deps.db, wish.sub)
  return account?.enabled ? { account, wish } : undefined
}

function sendImpersonationExpired({ request, reply, realm, query }: Call) {
  const language = languageOf(request.headers, query)
  return reply
    .code(410)
    .headers(pageHeaders(realm.origin))
    .send(problemPage(language, realm.origin, say(language, 'impersonateGone')))
}
