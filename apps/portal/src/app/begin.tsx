import { createRoot } from 'react-dom/client'
import { inBrowser, inTab } from '../lib/remembered.ts'
import { languageNow } from '../lib/language.ts'
import { needWords, spokenParts } from '../lib/spoken-words.ts'
import { bundledWords } from '../lib/words.ts'
import { type Start, start } from './boot.ts'

/** Start the portal: words and session at once, then the door or the portal, each its own bundle. */
export async function begin() {
  const element = document.getElementById('root')
  if (element === null) return
  const root = createRoot(element)
  document.documentElement.dataset['mantineColorScheme'] = firstScheme()
  const language = languageNow()
  // Who has chosen an organization in this tab most likely comes to the portal: it loads meanwhile.
  const portal = inTab.get('scope') === undefined ? undefined : import('./Portal.tsx')
  portal?.catch(() => undefined) // awaited below, where it is shown
  const [words, begun] = await Promise.all([bundledWords(language, spokenParts()), start()])
  const initial = { language, words }
  if (begun.kind === 'portal') {
    const { Portal } = await (portal ?? import('./Portal.tsx'))
    root.render(<Portal {...begun} initial={initial} />)
  } else {
    const [{ Door }] = await Promise.all([import('./Door.tsx'), needWords(...doorWords(begun))])
    Object.assign(words, await bundledWords(language, doorWords(begun)))
    root.render(<Door start={begun} initial={initial} />)
  }
}

/** Files of words that only some doors need. */
const doorWords = ({ kind }: Start): readonly string[] => {
  if (kind === 'register') return ['register', 'agreements', 'errors']
  return kind === 'agreements' ? ['agreements', 'errors'] : []
}

/** The colours before React draws, so that a dark page does not flash white. */
function firstScheme() {
  const wish = inBrowser.get<string>('scheme', 'auto')
  if (wish === 'light' || wish === 'dark') return wish
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
