import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'
import type errors from './locales/errors/en.json'
import type push from './locales/push/en.json'
import type why from './locales/why/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'notifications', typeof words>,
      IdsOf<'push', typeof push>,
      IdsOf<'why', typeof why>,
      IdsOf<'errors', typeof errors> {}
}
