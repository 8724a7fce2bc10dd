import type { IdsOf } from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'access', typeof import('./locales/en.json')> {}
}
