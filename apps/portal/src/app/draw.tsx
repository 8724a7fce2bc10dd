import { createRoot } from 'react-dom/client'
import { languageNow } from '../lib/language.ts'
import { needWords } from '../lib/spoken-words.ts'
import { bundledWords } from '../lib/words.ts'
import type { Start } from './boot.ts'
import type { InitialWords } from './Providers.tsx'

/** Draw where the person stands: the door or the portal, each its own bundle. */
export async function draw(element: HTMLElement, begun: Start, initial: InitialWords) {
  const root = createRoot(element)
  if (begun.kind === 'portal') {
    const { Portal } = await import('./Portal.tsx')
    root.render(<Portal {...begun} initial={initial} />)
  } else {
    const [{ Door }] = await Promise.all([import('./Door.tsx'), needWords(...doorWords(begun))])
    const more = await bundledWords(languageNow(), doorWords(begun))
    root.render(
      <Door start={begun} initial={{ ...initial, words: { ...initial.words, ...more } }} />,
    )
  }
}

/** Files of words that only some doors need. */
const doorWords = ({ kind }: Start): readonly string[] => {
  if (kind === 'register') return ['register', 'agreements', 'errors']
  return kind === 'agreements' ? ['agreements', 'errors'] : []
}
