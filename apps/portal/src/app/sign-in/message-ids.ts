import type { IdsOf } from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'door', typeof import('./locales/door/en.json')>,
      IdsOf<'register', typeof import('./locales/register/en.json')> {}
}
