import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/whole-log/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'whole-log', typeof words> {}
}
