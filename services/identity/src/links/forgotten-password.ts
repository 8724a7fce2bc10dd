import { networkOf } from '@longreach/kit/network-of'
import { accountLimit, addressLimit } from '../sign-in/lockout-rules.ts'
import { countAttempt } from '../sign-in/lockout-store.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { forgottenPath } from '../sign-in/forgotten-path.ts'
import { alert, html, type Html, page, pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import { storePasswordRequest } from './password-requests.ts'
import { realmPath, type Call } from '../realms/realm-call.ts'
import { say, type Word } from '../pages/words.ts'

const longest = 255
const hour = 60 * 60_000
/**
 * Attempts per hour: three mails for one name, then increasing waits; twenty for one network, which may
 * be a whole plant.
 */
const nameLimit = { ...accountLimit, free: 3, forgottenAfterMs: hour }
const networkLimit = { ...addressLimit, free: 20 }

/** GET: form for the user name or e-mail address; without a mail server, advice to ask an administrator. */
export const showForgotten = (call: Call) => {
  const hint = call.query['login_hint']
  return sendForgottenForm(call, { name: typeof hint === 'string' ? hint.slice(0, longest) : '' })
}

/**
 * POST: store the request and answer that a link was sent if the account exists. The account is looked
 * up later, so that neither the answer nor its time reveals it.
 */
export async function takeForgotten(call: Call) {
  const { deps, realm, request, query, field } = call
  if (!deps.site.mail) return sendForgottenForm(call, { name: '' })
  const name = (field('username') ?? '').trim().slice(0, longest)
  if (name === '') return sendForgottenForm(call, { name, problem: 'forgottenEmpty', status: 422 })
  const typed = localName(name, realm.name)
  const fingerprint = deps.secrets.fingerprint('identity/sign-in', `${realm.name}/${typed}`)
  const keys = [
    { key: `forgotten:account:${fingerprint}`, limit: nameLimit },
    { key: `forgotten:address:${networkOf(request.ip)}`, limit: networkLimit },
  ]
  const locked = await countAttempt(deps.db, keys, deps.now())
  if (locked) {
    call.reply.header('retry-after', String(locked.retryAfterS))
    const minutes = Math.ceil(locked.retryAfterS / 60)
    return sendForgottenForm(call, { name, problem: 'locked', minutes, status: 429 })
  }
  const language = languageOf(request.headers, query)
  await storePasswordRequest(deps, { realm: realm.name, name, language })
  return sendSent(call, name)
}

type State = { name: string; problem?: Word; minutes?: number; status?: number }

function sendForgottenForm(call: Call, { name, problem, minutes = 0, status = 200 }: State) {
  const { deps, realm } = call
  const t = wordsOf(call)
  if (!deps.site.mail) {
    return sendForgottenPage(call, html`<p class="lead">${t('forgottenHandText')}</p>`, status)
  }
  const wrong = problem ? html` aria-invalid="true" aria-describedby="problem"` : undefined
  const form = html`<p class="lead">${t('forgottenText')}</p>
    <form method="post" action="${realmPath(realm, forgottenPath)}?kc_locale=${languageIn(call)}">
      ${alert(problem && t(problem, { minutes }))}
      <div class="field">
        <label for="username">${t('forgottenName')}</label>
        <input
          id="username"
          name="username"
          value="${name}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="${longest}"
          required
          autofocus${wrong}
        />
      </div>
      <button type="submit">${t('forgottenSend')}</button>
    </form>`
  return sendForgottenPage(call, form, status)
}

function sendSent(call: Call, name: string) {
  const t = wordsOf(call)
  const text = html`<p class="lead" role="status">${t('forgottenSentText', { name })}</p>`
  return sendForgottenPage(call, text, 200, 'forgottenSentTitle')
}

function sendForgottenPage(
  call: Call,
  content: Html,
  status: number,
  heading: Word = 'forgottenTitle',
) {
  const { realm, reply } = call
  const t = wordsOf(call)
  const body = page({
    language: languageIn(call),
    title: t(heading),
    content: html`<h1>${t(heading)}</h1>
      ${content}
      <p class="other">
        <a href="${realm.origin}/?realm=${realm.name}">${t('forgottenBack')}</a>
      </p>`,
    languagesAt: realmPath(realm, forgottenPath),
  })
  return reply.code(status).headers(pageHeaders(realm.origin)).send(body)
}

const languageIn = ({ request, query }: Call) => languageOf(request.headers, query)
const wordsOf = (call: Call) => {
  const language = languageIn(call)
  return (word: Word, values = {}) => say(language, word, values)
}
