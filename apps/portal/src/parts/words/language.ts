import { readCookie, writeCookie } from '@longreach/ui/cookies'
import { chooseLanguage, type Language, parentDomain } from './locale-rules.ts'

const cookie = 'cc2locale'

/** The language before a person's preference is known: the cookie, then the browser. */
export const languageNow = (preference?: string): Language =>
  chooseLanguage([preference, readCookie(cookie), ...navigator.languages])

/** Remember the language for every host of the installation. */
export const rememberLanguage = (language: Language) =>
  writeCookie(cookie, language, parentDomain(location.hostname))
