import { errors, type Interaction } from 'oidc-provider'
import type { Call } from './realm-call.ts'
import { below } from './realm-call.ts'
import { problemPage } from './error-page.ts'
import { alert, html, page, pageHeaders } from './page.ts'
import { languageOf } from './page-language.ts'
import { pinned } from './provider-request.ts'
import { epochS } from './session-store.ts'
import { endSession } from './session-store.ts'
import { signIn } from './sign-in.ts'
import { say } from './words.ts'

/** GET: the sign-in page of one interaction. */
export async function showLogin(call: Call) {
  const interaction = await interactionOf(call)
  if (!interaction) return expired(call)
  return sendLogin(call, interaction, { username: hint(interaction) })
}

/** POST: the name and password that a person typed. */
export async function takeLogin(call: Call) {
  const { deps, realm, request, reply, field } = call
  const interaction = await interactionOf(call)
  if (!interaction) return expired(call)
  const username = field('username') ?? ''
  const password = field('password') ?? ''
  const outcome = await signIn(deps, { realm: realm.name, username, password, ip: request.ip })
  if (outcome.kind === 'wrong') return sendLogin(call, interaction, { username, wrong: true })
  if (outcome.kind === 'locked') {
    const { retryAfterS } = outcome
    return sendLogin(call, interaction, { username, retryAfterS })
  }
  await leaveOtherPerson(call, interaction, outcome.account.sub)
  interaction.result = {
    login: { accountId: outcome.account.sub, remember: false, amr: ['pwd'], acr: '1' },
  }
  await interaction.save(interaction.exp - epochS())
  return reply.code(303).header('cache-control', 'no-store').redirect(interaction.returnTo, 303)
}

/** Somebody else was signed in here: their session ends, and a new one begins. */
async function leaveOtherPerson(call: Call, interaction: Interaction, sub: string) {
  const { session } = interaction
  if (!session || session.accountId === sub) return
  await endSession(call.deps.db, call.realm.name, session.uid)
  interaction.session = undefined
  const name = call.realm.provider.cookieName('session')
  call.reply.header('set-cookie', clearedCookies(call, [name, `${name}.sig`]))
}

/** Headers that make the browser forget cookies of the realm. */
export const clearedCookies = ({ realm }: Pick<Call, 'realm'>, names: readonly string[]) =>
  names.map((name) => `${name}=; path=${below(realm, '/')}; expires=Thu, 01 Jan 1970 00:00:00 GMT`)

/** The interaction that the browser's own cookie and the address both name. */
async function interactionOf({ request, reply, realm }: Call): Promise<Interaction | undefined> {
  const { uid } = request.params as { uid: string }
  const path = request.url.slice(new URL(realm.issuer).pathname.length)
  try {
    const found = await realm.provider.interactionDetails(pinned(request, realm, path), reply.raw)
    return found.uid === uid ? found : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

const hint = ({ params }: Interaction) => {
  const { login_hint: wish } = params
  return typeof wish === 'string' ? wish.slice(0, 255) : ''
}

function expired({ request, reply, realm, query }: Call) {
  const language = languageOf(request.headers, query)
  const { origin } = realm
  return reply
    .code(400)
    .headers(pageHeaders(origin))
    .send(problemPage(language, origin, say(language, 'expired')))
}

type State = { username: string; wrong?: boolean; retryAfterS?: number }

function sendLogin(call: Call, interaction: Interaction, { username, wrong, retryAfterS }: State) {
  const { request, reply, realm, query } = call
  const language = languageOf(request.headers, query, interaction.params)
  const t = (word: Parameters<typeof say>[1], values = {}) => say(language, word, values)
  const minutes = Math.ceil((retryAfterS ?? 0) / 60)
  const problem = retryAfterS === undefined ? wrong && t('wrong') : t('locked', { minutes })
  const address = below(realm, `/login-actions/authenticate/${interaction.uid}`)
  const invalid = problem ? html` aria-invalid="true" aria-describedby="problem"` : undefined
  // Whoever has typed a name goes on with the password.
  const [first, second] = username === '' ? [html` autofocus`] : [undefined, html` autofocus`]
  const content = html`<h1>${t('signInTo', { realm: realm.label })}</h1>
    <form method="post" action="${address}?kc_locale=${language}">
      ${alert(problem || undefined)}
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
    </form>
    <p class="other"><a href="${realm.origin}/login?choose">${t('otherOrganization')}</a></p>`
  const body = page({ language, title: t('signIn'), content, languagesAt: address })
  if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS))
  const status = retryAfterS === undefined ? 200 : 429
  return reply.code(status).headers(pageHeaders(realm.origin)).send(body)
}
