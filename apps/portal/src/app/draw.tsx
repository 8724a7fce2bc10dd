import { createRoot } from 'react-dom/client'
import { needWords, spokenParts } from '../lib/spoken-words.ts'
import { bundledWords } from '../lib/words.ts'
import type { Start } from './boot.ts'
import type { InitialWords } from './Providers.tsx'

/** Draw where the person stands: the door or the portal, each its own bundle. */
export async function draw(element: HTMLElement, begun: Start, initial: InitialWords) {
  const root = createRoot(element)
  const { language } = initial
  void needWords(...doorWords(begun))
  // With the words of a page that came meanwhile, so that it never stands without them.
  const more = bundledWords(language, spokenParts())
  const spoken = async () => ({ language, words: { ...initial.words, ...(await more) } })
  if (begun.kind === 'portal') {
    const { Portal } = await import('./Portal.tsx')
    root.render(<Portal {...begun} initial={await spoken()} />)
  } else {
    const { Door } = await import('./Door.tsx')
    root.render(<Door start={begun} initial={await spoken()} />)
  }
}

/** Files of words that only some doors need. */
const doorWords = ({ kind }: Start): readonly string[] => {
  if (kind === 'register') return ['register', 'agreements', 'errors']
  return kind === 'agreements' ? ['agreements', 'errors'] : []
}
