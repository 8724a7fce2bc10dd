import type { IdsOf } from '@longreach/ui/use-words'
import type pulse from './locales/pulse/en.json'
import type words from './locales/told/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'told', typeof words>, IdsOf<'pulse', typeof pulse> {}
}
