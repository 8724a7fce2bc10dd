import type { IdsOf } from '@longreach/ui/use-words'
import type door from './locales/door/en.json'
import type register from './locales/register/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'door', typeof door>, IdsOf<'register', typeof register> {}
}
