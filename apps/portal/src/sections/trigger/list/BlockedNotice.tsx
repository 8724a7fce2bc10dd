import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { blockedAmong, kindNames } from '../allowed/kinds.ts'
import { type Trigger, useBlockedActions } from '../trigger-calls.ts'

/** Says which actions do not run here, or which of a trigger, and why; nothing while all of them do. */
export function BlockedNotice({ trigger }: { trigger?: Trigger }) {
  const t = useWords()
  const { locale } = useIntl()
  const { data } = useBlockedActions()
  const blocked = trigger ? blockedAmong(actionsIn(trigger), data) : kindNames
  const items = blocked.flatMap((kind) => {
    const reason = data?.longreach.reasons[kind]
    return reason ? [t(`trigger.blockedItem.${reason}`, { name: t(`trigger.kind.${kind}`) })] : []
  })
  if (items.length === 0) return null
  const list = new Intl.ListFormat(locale).format(items)
  return <ErrorPanel tone="warning" message={t('trigger.blockedActions', { list })} />
}

/** Actions of a trigger that `blockedActions` may hold back. */
export const actionsIn = ({ triggerData: { actions } }: Trigger) =>
  actions.map(({ type, disabled }) => ({ type: String(type), disabled }))
