import { createRoot } from 'react-dom/client'
import { needWords, loadedWordFiles } from '../../parts/words/spoken-words.ts'
import { bundledWords } from '../../parts/words/words.ts'
import type { Start } from './boot.ts'
import type { InitialWords } from './Providers.tsx'

/** Draws the result of the start: a page before the portal, or the portal; each has its own bundle. */
export async function draw(element: HTMLElement, begun: Start, initial: InitialWords) {
  const root = createRoot(element)
  // The person's own language, where it is another than the browser's.
  const language = begun.kind === 'portal' ? begun.language : initial.language
  const words = language === initial.language ? initial.words : {}
  void needWords(...wordsOfStart(begun))
  // With the words of a page that came meanwhile, so that it never stands without them.
  const more = bundledWords(language, loadedWordFiles())
  const spoken = async () => ({ language, words: { ...words, ...(await more) } })
  if (begun.kind === 'portal') {
    const { Portal } = await import('./Portal.tsx')
    root.render(<Portal {...begun} initial={await spoken()} />)
  } else {
    const { SignIn } = await import('../sign-in/SignIn.tsx')
    root.render(<SignIn start={begun} initial={await spoken()} />)
  }
}

/** Files of words that only some of the pages before the portal need. */
const wordsOfStart = ({ kind }: Start): readonly string[] => {
  if (kind === 'register') return ['register', 'agreements', 'errors']
  if (kind === 'failed') return ['errors']
  return kind === 'agreements' ? ['agreements', 'errors'] : []
}
