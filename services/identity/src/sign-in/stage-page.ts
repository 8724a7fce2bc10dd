import { passkeyScriptName } from '../factors/passkey-script.ts'
import { type Html, page, pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import type { Call } from '../realms/realm-call.ts'
import { addressOf, type SignInState } from './sign-in-flow.ts'
import { type Language, say, type Word } from '../pages/words.ts'

/** Language, form address and texts of a page of the sign-in. */
export type PageContext = {
  language: Language
  /** Address that the forms of the page post to. */
  action: string
  t: (word: Word, values?: Record<string, string | number>) => string
}

export function pageContext(call: Call, state: SignInState): PageContext {
  const { request, query } = call
  const language = languageOf(request.headers, query, state.interaction.params)
  return {
    language,
    action: `${addressOf(call, state)}?kc_locale=${language}`,
    t: (word, values = {}) => say(language, word, values),
  }
}

type StagePage = {
  pen: PageContext
  title: Word
  content: Html
  /** The page has passkey forms. */
  scripted?: boolean
  status?: number
  retryAfterS?: number | undefined
  /** The page cannot be loaded again, so it has no language menu. */
  once?: boolean
}

/** Send a page of the sign-in. */
export function sendStagePage(call: Call, state: SignInState, sheet: StagePage) {
  const { reply, realm } = call
  const { pen, content, scripted = false, retryAfterS, once = false } = sheet
  const body = page({
    language: pen.language,
    title: pen.t(sheet.title),
    content,
    ...(scripted && { script: passkeyScriptName }),
    ...(!once && { languagesAt: addressOf(call, state) }),
  })
  if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS))
  const status = sheet.status ?? (retryAfterS === undefined ? 200 : 429)
  return reply
    .code(status)
    .headers(pageHeaders(realm.origin, { scripts: scripted }))
    .send(body)
}

/** Text of a lockout with its minutes. */
export const lockedText = ({ t }: PageContext, retryAfterS: number) =>
  t('locked', { minutes: Math.ceil(retryAfterS / 60) })
