import { html } from '../pages/page.ts'
import { say, type Language } from '../pages/words.ts'

type Form = {
  language: Language
  action: string
  step: 'passkey' | 'new-passkey'
  options: object
  words: { button: Parameters<typeof say>[1]; failed: Parameters<typeof say>[1] }
  /** Secondary style, for a form beside another one. */
  plain?: boolean
}

/** Form with a button that asks the browser for a passkey; `passkey-script.ts` makes it work. */
export function passkeyForm({ language, action, step, options, words, plain = true }: Form) {
  const kind = step === 'passkey' ? 'get' : 'create'
  return html`<form
    method="post"
    action="${action}"
    data-passkey="${kind}"
    data-options="${JSON.stringify(options)}"
    hidden
  >
    <input type="hidden" name="step" value="${step}" />
    <input type="hidden" name="passkey" value="" />
    <button type="submit" class="${plain ? 'plain' : 'main'}">
      ${say(language, words.button)}
    </button>
    <p role="status" class="failed" data-failed hidden>${say(language, words.failed)}</p>
  </form>`
}

/** JSON that the form sent; undefined when it is not JSON. */
export function passkeyAnswer(field: string | undefined): unknown {
  if (field === undefined || field === '') return undefined
  try {
    return JSON.parse(field)
  } catch {
    return undefined // no browser sends this
  }
}
