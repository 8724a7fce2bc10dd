import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { type BlockedReason, blockedAmong, kindNames } from '../allowed/kinds.ts'
import { type Trigger, useBlockedActions } from '../trigger-calls.ts'

const reasons = ['above', 'here', 'no_mail_server'] as const satisfies BlockedReason[]

/** Says which actions do not run here, or which of a trigger, and why; nothing while all of them do. */
export function BlockedNotice({ trigger }: { trigger?: Trigger }) {
  const t = useWords()
  const { locale } = useIntl()
  const { data } = useBlockedActions()
  const blocked = trigger
    ? blockedAmong(actionsIn(trigger), data)
    : kindNames.filter((kind) => data?.[kind])
  return reasons.map((reason) => {
    const kinds = blocked.filter((kind) => data?.longreach.reasons[kind] === reason)
    if (kinds.length === 0) return null
    const names = new Intl.ListFormat(locale).format(kinds.map((kind) => t(`trigger.kind.${kind}`)))
    return (
      <ErrorPanel
        key={reason}
        tone="warning"
        message={t(`trigger.blockedActions.${reason}`, { names })}
      />
    )
  })
}

/** Actions of a trigger that `blockedActions` may hold back. */
export const actionsIn = ({ triggerData: { actions } }: Trigger) =>
  actions.map(({ type, disabled }) => ({ type: String(type), disabled }))
