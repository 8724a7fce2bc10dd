import { languageNow } from '../../parts/words/language.ts'
import { expandLocale, type Language } from '../../parts/words/locale-rules.ts'
import { inBrowser, inTab } from '../../parts/kept/remembered.ts'
import { loadedWordFiles } from '../../parts/words/spoken-words.ts'
import { bundledWords } from '../../parts/words/words.ts'
import { isReturn, start } from './boot.ts'
import { holdForFirstPage } from './coming.ts'
import { drawFrame } from './known-frame.ts'
import { handAnswerOver } from '../session/sign-in-window.ts'

/**
 * Starts the portal. The session is restored while the scripts that draw are loading; after a return from
 * identity into an organization, the scripts of the portal and of the page load at the same time too.
 */
export async function begin() {
  const element = document.getElementById('root')
  if (element === null || (isReturn() && handAnswerOver())) return
  const scheme = firstScheme()
  document.documentElement.dataset['mantineColorScheme'] = scheme
  const language = languageNow()
  document.documentElement.lang = expandLocale(language)
  // Asked for before the page's files: on few connections a call waits for what was asked before it.
  const starting = start()
  // Before the adapter takes the answer out of the address. Others most likely leave to sign in, unless
  // the tab was in an organization: there its session is renewed without a page of identity.
  if (isReturn()) holdForFirstPage(comeAhead(language, inTab.get('deepLink') ?? '/'))
  else if (isInPortal()) holdForFirstPage(comeAhead(language, location.pathname + location.search))
  if (isInPortal()) drawFrame(element, scheme)
  const [words, begun] = await Promise.all([bundledWords(language, loadedWordFiles()), starting])
  const { draw } = await import('./draw.tsx')
  await draw(element, begun, { language, words })
}

/** A tab in an organization, at the address of one of its pages and not of a page before it. */
const isInPortal = () =>
  inTab.get('scope') !== undefined &&
  !/^\/(login|setup|register|organization)(\/|$)/.test(location.pathname)

async function comeAhead(language: Language, path: string) {
  const drawing = [import('./draw.tsx'), import('../sign-in/pending-agreements.ts')]
  if (inTab.get('scope') === undefined) return Promise.all(drawing)
  const page = import('./ahead.ts').then(({ pageAhead }) => pageAhead(path, language))
  return Promise.all([page, import('./Portal.tsx'), ...drawing])
}

/** The colours before React draws, so that a dark page does not flash white. */
function firstScheme() {
  const wish = inBrowser.get<string>('scheme', 'auto')
  if (wish === 'light' || wish === 'dark') return wish
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
