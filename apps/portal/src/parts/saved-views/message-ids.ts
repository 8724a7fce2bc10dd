import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'saved-views', typeof words> {}
}
