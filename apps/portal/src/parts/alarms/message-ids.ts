import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/alarm/en.json'
import type shelves from './locales/alarm-shelves/en.json'
import type sound from './locales/alarm-sound/en.json'
import type deviceAlarms from './locales/device-alarms/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'alarm', typeof words>,
      IdsOf<'alarm-shelves', typeof shelves>,
      IdsOf<'alarm-sound', typeof sound>,
      IdsOf<'device-alarms', typeof deviceAlarms> {}
}
