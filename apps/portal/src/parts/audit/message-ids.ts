import type { IdsOf } from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'log', typeof import('./locales/log/en.json')> {}
}
