import type { IdsOf } from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'directaccess', typeof import('./locales/directaccess/en.json')>,
      IdsOf<'shell', typeof import('./locales/en.json')>,
      IdsOf<'features', typeof import('./locales/features/en.json')> {}
}
