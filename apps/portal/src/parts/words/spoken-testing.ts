import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { RawIntlProvider } from 'react-intl'
import { portalIntl } from '../../app/start/portal-intl.ts'
import { Look } from '../look/look.ts'
import { expandLocale, type Language } from './locale-rules.ts'
import { bundledWords } from './words.ts'

type Setting = { language?: Language; temperature?: 'auto' | 'celsius' | 'fahrenheit' }

/** Result of a hook that makes texts, with all words of a language; no browser is needed for it. */
export async function spoken<T>(
  useTexts: () => T,
  { language = 'en', temperature = 'auto' }: Setting = {},
): Promise<T> {
  const messages = (await bundledWords(language)) as Record<string, string> // texts alone, in a test
  const intl = portalIntl({ locale: expandLocale(language), timeZone: 'UTC', messages })
  const nothing = () => undefined
  const look = {
    language,
    setLanguage: async () => undefined,
    scheme: 'light' as const,
    setScheme: nothing,
    zone: 'UTC',
    setZone: nothing,
    hours: 'auto' as const,
    setHours: nothing,
    numbers: 'auto' as const,
    setNumbers: nothing,
    temperature,
    setTemperature: nothing,
  }
  const made: T[] = []
  function Reader() {
    made.push(useTexts())
    return null
  }
  const reader = createElement(Look, { value: look }, createElement(Reader))
  renderToString(createElement(RawIntlProvider, { value: intl }, reader))
  const [texts] = made
  if (texts === undefined) throw new Error('nothing was drawn')
  return texts
}
