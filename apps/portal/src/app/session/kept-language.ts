import { earlyCalls } from '../../parts/api/early-calls.ts'
import { languageNow, rememberLanguage } from '../../parts/words/language.ts'
import { expandLocale, type Language, languageOf } from '../../parts/words/locale-rules.ts'
import { reportProblem } from '../../parts/api/problems.ts'

const serviceName = 'locale'

/**
 * The language of the person who enters an organization: fetched once from their preferences before
 * anything is drawn, and saved where it is absent (T-04). Known to the other hosts by the cookie.
 */
export async function keptLanguage(org: string): Promise<Language> {
  const language = (await fetchLanguage(org)) ?? languageNow()
  rememberLanguage(language)
  return language
}

/** Saved language; undefined if the call fails, so that people can work. */
async function fetchLanguage(org: string) {
  try {
    const [kept] = await earlyCalls.userPreferences({ params: { org }, query: { serviceName } })
    const language = languageOf(kept?.value)
    if (language === undefined) await keepLanguage(org, languageNow())
    return language
  } catch (cause) {
    reportProblem('The language could not be fetched', cause)
    return undefined
  }
}

/** Keep the language as the person's preference, in every organization. */
export const keepLanguage = (org: string, language: Language) =>
  earlyCalls.setUserPreference({
    params: { org },
    body: { serviceName, value: expandLocale(language) },
  })
