import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/spreadsheet/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'spreadsheet', typeof words> {}
}
