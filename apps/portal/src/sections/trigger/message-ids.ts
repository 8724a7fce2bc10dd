import type { IdsOf } from '@longreach/ui/use-words'
import type errors from './locales/errors/en.json'
import type actions from './locales/trigger-actions/en.json'
import type words from './locales/en.json'
import type editor from './locales/trigger-editor/en.json'
import type log from './locales/log/en.json'
import type hand from './locales/trigger-hand/en.json'
import type trial from './locales/trigger-trial/en.json'
import type runs from './locales/trigger-runs/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'trigger', typeof words>,
      IdsOf<'trigger-actions', typeof actions>,
      IdsOf<'trigger-editor', typeof editor>,
      IdsOf<'log', typeof log>,
      IdsOf<'trigger-hand', typeof hand>,
      IdsOf<'trigger-trial', typeof trial>,
      IdsOf<'trigger-runs', typeof runs>,
      IdsOf<'errors', typeof errors> {}
}
