import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type { Language } from '../words/locale-rules.ts'

export type AgreementText = Pick<
  Result<typeof coreContract.endpoints.agreementsLast>[number],
  'defaultName' | 'texts' | 'link' | 'mandatory'
>

/** Title and text of an agreement in a language, else in English, else in any language it has. */
export function agreementText({ defaultName, texts }: AgreementText, language: Language) {
  const all = Object.values(texts).filter((one) => one !== undefined)
  const readable = [texts[language], texts.en, ...all].filter((one) => one !== undefined)
  const title = texts[language]?.title || texts.en?.title || defaultName
  return { title, text: readable.find(({ text }) => text !== '')?.text ?? '' }
}

/** Ids of the mandatory agreements that are not accepted. */
export const missing = (
  agreements: readonly { id: number; mandatory: boolean }[],
  accepted: ReadonlySet<number>,
) => agreements.filter(({ id, mandatory }) => mandatory && !accepted.has(id)).map(({ id }) => id)
