import type { coreContract } from '@longreach/core/contract'
import type { Input } from '@longreach/kit/contract'
import { type Language, languages } from '../../parts/words/locale-rules.ts'
import type { Version } from './version-rules.ts'

type Text = { title: string; text: string }
export type Draft = {
  type: Version['type']
  defaultName: string
  mandatory: boolean
  link: string
  acceptanceField: string
  /** As the browser's field for a date and time writes it; empty: at once. */
  start: string
  end: string
  texts: Record<Language, Text>
}

const textIn = (from: Version | undefined, language: Language): Text => ({
  title: from?.texts[language]?.title ?? '',
  text: from?.texts[language]?.text ?? '',
})

/** An empty version, or the next one of another. */
export const draftOf = (from: Version | undefined): Draft => ({
  type: from?.type ?? 'TERM',
  defaultName: from?.defaultName ?? '',
  mandatory: from?.mandatory ?? true,
  link: from?.link ?? '',
  acceptanceField: from?.acceptanceField ?? '',
  start: '',
  end: '',
  texts: {
    en: textIn(from, 'en'),
    de: textIn(from, 'de'),
    es: textIn(from, 'es'),
    fr: textIn(from, 'fr'),
    it: textIn(from, 'it'),
  },
})

type Body = Input<typeof coreContract.endpoints.createAgreement>['body']

/** Body of the request for a draft, without the languages that have no text. */
export const bodyOf = (
  { start, end, texts, ...facts }: Draft,
  from: Version | undefined,
): Body => ({
  ...facts,
  link: facts.link.trim(),
  ...(from && { serviceName: from.serviceName }),
  ...(start !== '' && { validityStart: new Date(start) }),
  ...(end !== '' && { validityEnd: new Date(end) }),
  texts: Object.fromEntries(
    languages
      .filter((language) => texts[language].title.trim() + texts[language].text.trim() !== '')
      .map((language) => [language, texts[language]]),
  ),
})

/** The field of the form that a field of the call is in. */
export const fieldOf = (path: string) => {
  if (path === 'validityStart') return 'start'
  if (path === 'validityEnd') return 'end'
  return path
}
