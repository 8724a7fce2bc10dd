import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'
import type rules from './locales/alarm-rules/en.json'
import type views from './locales/alarm-views/en.json'
import type report from './locales/alarm-report/en.json'
import type acts from './locales/alarm-acts/en.json'
import type tools from './locales/rule-tools/en.json'
import type places from './locales/rule-places/en.json'
import type errors from './locales/errors/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'alarms', typeof words>,
      IdsOf<'alarm-rules', typeof rules>,
      IdsOf<'alarm-views', typeof views>,
      IdsOf<'alarm-report', typeof report>,
      IdsOf<'alarm-acts', typeof acts>,
      IdsOf<'rule-tools', typeof tools>,
      IdsOf<'rule-places', typeof places>,
      IdsOf<'errors', typeof errors> {}
}
