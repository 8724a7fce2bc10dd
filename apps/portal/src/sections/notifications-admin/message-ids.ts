import type { IdsOf } from '@longreach/ui/use-words'
import type words from './locales/en.json'
import type ruleMore from './locales/rule-more/en.json'
import type onCall from './locales/on-call/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'notifications-admin', typeof words>,
      IdsOf<'on-call', typeof onCall>,
      IdsOf<'rule-more', typeof ruleMore> {}
}
