import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'
import type alarms from './locales/alarm-retention/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends IdsOf<'storage', typeof words>, IdsOf<'alarm-retention', typeof alarms> {}
}
