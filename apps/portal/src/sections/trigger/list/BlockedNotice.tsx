import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { type Trigger, useBlockedActions } from '../trigger-calls.ts'

const kinds = {
  emailAction: 'EMAIL_ACTION',
  webhookAction: 'WEBHOOK_ACTION',
  telegramAction: 'TELEGRAM_ACTION',
  teamsAction: 'TEAMS_ACTION',
  attributeAction: 'ATTRIBUTE_ACTION',
} as const
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[] // its keys are these

/** Says which actions do not run here, or which of a trigger; nothing while all of them do. */
export function BlockedNotice({ trigger }: { trigger?: Trigger }) {
  const t = useWords()
  const { locale } = useIntl()
  const { data } = useBlockedActions()
  const used = trigger?.triggerData.actions.map(({ type }) => type)
  const blocked = kindNames.filter((kind) => data?.[kind] && (used?.includes(kinds[kind]) ?? true))
  if (blocked.length === 0) return null
  const names = new Intl.ListFormat(locale).format(blocked.map((kind) => t(`trigger.kind.${kind}`)))
  return <ErrorPanel tone="warning" message={t('trigger.blockedActions', { names })} />
}
