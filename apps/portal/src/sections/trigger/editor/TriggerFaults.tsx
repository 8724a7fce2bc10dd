import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { splitFaults } from '../../../parts/forms/unfilled.ts'
import type { TriggerDraft } from './trigger-draft.ts'

export type Faults = {
  issues: readonly { place: string }[]
  /** The trigger would start itself. */
  isLoop: boolean
}
type Props = { draft: TriggerDraft; faults: Faults | undefined }

/** Fields that are still to be filled in, and the number of those that are filled in wrongly. */
export function TriggerFaults({ draft, faults }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  if (faults === undefined) return t('trigger-editor.checking')
  const { unfilled, wrong } = splitFaults(draft, faults.issues)
  const count = wrong.length + (faults.isLoop ? 1 : 0)
  const names = new Set(unfilled.map(({ place }) => t(fieldLabelId(place))))
  const list = new Intl.ListFormat(locale, { type: 'unit' }).format(names)
  const texts = [
    ...(names.size > 0 ? [t('trigger-editor.toFill', { list })] : []),
    ...(count > 0 ? [t('trigger-editor.faults', { count })] : []),
  ]
  return texts.length > 0 ? texts.join(' ') : t('trigger-editor.ready')
}

/** Words of fields by the last step of their place. */
const labels = {
  modelPathMatcher: 'trigger-editor.path',
  path: 'trigger-editor.path',
  min: 'trigger-editor.min',
  max: 'trigger-editor.max',
  level: 'trigger-editor.levelNumber',
  time: 'trigger-editor.holds',
  emailTo: 'trigger-editor.emailTo',
  url: 'trigger-editor.url',
  token: 'trigger-editor.botToken',
  chatId: 'trigger-editor.chatId',
  endpoint: 'trigger-editor.teamsUrl',
  attribute: 'trigger-editor.attribute',
  value: 'trigger-editor.fixedValue',
} as const

/** Id of the words of the field at a place; of one without a name its part of the form. */
function fieldLabelId(place: string) {
  const last = place.split('.').at(-1) ?? ''
  if (place === 'name') return 'trigger.name'
  if (last === 'name') return 'trigger-editor.alarmName'
  if (last in labels) return labels[last as keyof typeof labels] // `in` says so
  if (place.startsWith('policy')) return 'trigger-editor.part.when'
  return place.includes('actions') ? 'trigger-editor.part.then' : 'trigger-editor.part.basic'
}
