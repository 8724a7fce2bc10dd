import type { IdsOf } from '@longreach/ui/use-words'
import type errors from './locales/errors/en.json'
import type words from './locales/en.json'
import type editor from './locales/trigger-editor/en.json'
import type runs from './locales/trigger-runs/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'trigger', typeof words>,
      IdsOf<'trigger-editor', typeof editor>,
      IdsOf<'trigger-runs', typeof runs>,
      IdsOf<'errors', typeof errors> {}
}
