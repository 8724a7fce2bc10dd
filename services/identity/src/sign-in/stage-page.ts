import { passkeyScriptName } from '../factors/passkey-script.ts'
import { type Html, page, pageHeaders } from '../pages/page.ts'
import { languageOf } from '../pages/page-language.ts'
import type { Call } from '../realms/realm-call.ts'
import { addressOf, type SignInState } from './sign-in-flow.ts'
import { type Language, say, type Word } from '../pages/words.ts'

/** What the pages of a sign-in are written with. */
export type Pen = {
  language: Language
  /** Where the page's forms go. */
  action: string
  t: (word: Word, values?: Record<string, string | number>) => string
}

export function penOf(call: Call, state: SignInState): Pen {
  const { request, query } = call
  const language = languageOf(request.headers, query, state.interaction.params)
  return {
    language,
    action: `${addressOf(call, state)}?kc_locale=${language}`,
    t: (word, values = {}) => say(language, word, values),
  }
}

type Sheet = {
  pen: Pen
  title: Word
  content: Html
  /** There are passkey forms on it. */
  scripted?: boolean
  status?: number
  retryAfterS?: number | undefined
  /** A page that must not be asked for again offers no other language. */
  once?: boolean
}

/** Send one page of the sign-in. */
export function sendSheet(call: Call, state: SignInState, sheet: Sheet) {
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

/** How long the lock lasts, in words. */
export const lockedText = ({ t }: Pen, retryAfterS: number) =>
  t('locked', { minutes: Math.ceil(retryAfterS / 60) })
