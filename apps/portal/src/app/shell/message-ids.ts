import type { IdsOf } from '@longreach/ui/use-words'
import type directaccess from './locales/directaccess/en.json'
import type shell from './locales/en.json'
import type features from './locales/features/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'directaccess', typeof directaccess>,
      IdsOf<'shell', typeof shell>,
      IdsOf<'features', typeof features> {}
}
