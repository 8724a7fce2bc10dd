import { files } from '@longreach/ui/late'
import { type NumberWriting, withNumbers } from '@longreach/ui/number-writing'
import type { TemperatureUnit } from '@longreach/ui/shown-unit'
import { Theme } from '@longreach/ui/theme'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { RawIntlProvider } from 'react-intl'
import { arrive } from '../../parts/api/arrive.ts'
import { useFocusBack } from '@longreach/ui/focus-back'
import { rememberLanguage } from '../../parts/words/language.ts'
import { expandLocale, type Language, withHours } from '../../parts/words/locale-rules.ts'
import { newerFiles } from './newer-files.ts'
import { type Hours, Look, type Scheme, useSystemScheme } from '../../parts/look/look.ts'
import { portalIntl } from './portal-intl.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { inBrowser } from '../../parts/kept/remembered.ts'
import { portalSettings } from '../../parts/session/settings.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { needWords, onWordsNeeded, loadedWordFiles } from '../../parts/words/spoken-words.ts'
import { bundledWords, type Words } from '../../parts/words/words.ts'

files.bring = (load) =>
  arrive(load).catch((cause: unknown) => {
    reportProblem('A file of the portal is gone', cause)
    newerFiles.missed()
    return new Promise<never>(() => undefined) // a page with something typed on it must not break
  })

export type InitialWords = { language: Language; words: Words }

type Props = {
  initial: InitialWords
  /** Words that come with code and not in files; a host of words may replace them. */
  names?: (language: Language) => Words
  children: ReactNode
}

/** Words and colours for everything below; both can change while the portal runs. */
export function Providers({ initial, names, children }: Props) {
  useFocusBack()
  const [spoken, setSpoken] = useState(initial)
  const [wish, setScheme] = useKept<Scheme>('scheme', 'auto')
  const [zone, setZone] = useState(usualZone)
  const [hours, setHours] = useKept<Hours>('hours', 'auto')
  const [numbers, setNumbers] = useKept<NumberWriting>('numbers', 'auto')
  const [temperature, setTemperature] = useKept<TemperatureUnit>('temperature', 'auto')
  const system = useSystemScheme()
  const scheme = wish === 'auto' ? system : wish

  useEffect(() => {
    document.documentElement.lang = expandLocale(spoken.language)
  }, [spoken.language])

  const { language } = spoken
  useLayoutEffect(() => {
    const add = async (parts: Iterable<string>) => {
      const words = await bundledWords(language, parts)
      setSpoken((before) =>
        before.language === language ? { language, words: { ...words, ...before.words } } : before,
      )
    }
    // What an error says may be needed anywhere, but not for the first picture.
    void needWords('errors')
    void add(loadedWordFiles())
    return onWordsNeeded(add)
  }, [language])

  useEffect(() => {
    let current = true
    void addHosted(spoken.language, (words) => {
      if (current) setSpoken((before) => ({ ...before, words: { ...before.words, ...words } }))
    })
    return () => {
      current = false
    }
  }, [spoken.language])

  const look = {
    language: spoken.language,
    setLanguage: async (language: Language) => {
      rememberLanguage(language)
      setSpoken({ language, words: await bundledWords(language, loadedWordFiles()) })
    },
    scheme: wish,
    setScheme,
    zone,
    setZone: (next: string | undefined) => {
      inBrowser.set('zone', next ?? null)
      setZone(usualZone())
    },
    hours,
    setHours,
    numbers,
    setNumbers,
    temperature,
    setTemperature,
  }
  const intl = useMemo(
    () =>
      portalIntl({
        locale: withNumbers(withHours(expandLocale(spoken.language), hours), numbers),
        timeZone: zone,
        // Parsed and unparsed messages may stand together, though the type knows only one kind at a time.
        messages: { ...names?.(spoken.language), ...spoken.words } as Record<string, string>,
        onError: (error) => reportProblem(error.message, error),
      }),
    [spoken, names, hours, numbers, zone],
  )
  return (
    <RawIntlProvider value={intl}>
      <Theme scheme={scheme}>
        <Look value={look}>{children}</Look>
      </Theme>
    </RawIntlProvider>
  )
}

/** A choice that this browser remembers. */
function useKept<Choice>(key: string, usual: Choice) {
  const [choice, setChoice] = useState(() => inBrowser.get(key, usual))
  const keep = useCallback(
    (next: Choice) => {
      inBrowser.set(key, next)
      setChoice(next)
    },
    [key],
  )
  return [choice, keep] as const
}

async function addHosted(language: Language, add: (words: Words) => void) {
  const { i18nHost } = await portalSettings()
  if (typeof i18nHost !== 'string' || i18nHost === '') return
  const { hostedWords } = await import('./hosted-words.ts')
  add(await hostedWords(i18nHost, language))
}
