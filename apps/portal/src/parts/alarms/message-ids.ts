import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/alarm/en.json'
import type deviceAlarms from './locales/device-alarms/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds extends IdsOf<'alarm', typeof words> {}
  interface MessageIds extends IdsOf<'device-alarms', typeof deviceAlarms> {}
}
