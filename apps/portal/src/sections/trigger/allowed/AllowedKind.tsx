import { late } from '@longreach/ui/late'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stale } from '../../../parts/api/api.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { SwitchControl } from '../list/SwitchControl.tsx'
import { actionIcons } from '../action-icons.tsx'
import { type Blocked, useMayNotChange, useTriggerOrganization } from '../trigger-calls.ts'
import classes from './allowed.module.css'
import { type Kind, typeOfKind } from './kinds.ts'

const ForbidDialog = late(() => import('./ForbidDialog.tsx'), 'ForbidDialog')

type Props = { kind: Kind; blocked: Blocked; uses: { here: number; below: number } }

/** Kind of action with its state, the triggers that use it, and the switch for the organization and all below it. */
export function AllowedKind({ kind, blocked, uses }: Props) {
  const t = useWords()
  const [isAsked, setAsked] = useState(false)
  const errorText = useErrorText()
  const mayNot = useMayNotChange('update')
  const change = useKindSwitch(kind, blocked)
  const reason = blocked.longreach.reasons[kind]
  const isAbove = reason === 'above'
  const why = mayNot ? t(mayNot) : isAbove ? t('trigger-actions.reasonOf.above') : undefined
  const isAllowed = !blocked.longreach.own[kind]
  const name = t(`trigger-actions.kind.${kind}`)
  return (
    <li className={classes.kind}>
      <span className={classes.icon}>{actionIcons[typeOfKind[kind]]}</span>
      <div className={classes.text}>
        <b>{name}</b>
        <span className={classes.note}>{t('trigger-actions.uses', uses)}</span>
      </div>
      <StatusDot tone={reason === null ? 'ok' : 'warning'}>
        {t(reason === null ? 'trigger-actions.runs' : `trigger-actions.reasonOf.${reason}`)}
      </StatusDot>
      <SwitchControl
        label={t('trigger-actions.allow', { name })}
        isOn={isAllowed && !isAbove}
        reason={why}
        isPending={change.isPending}
        onTurn={() => (isAllowed ? setAsked(true) : change.mutate(false))}
      />
      {isAsked && (
        <ForbidDialog
          name={name}
          uses={uses}
          isPending={change.isPending}
          error={change.error ? errorText(change.error).message : undefined}
          onForbid={() => change.mutate(true, { onSuccess: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        />
      )}
    </li>
  )
}

/** Switches a kind off (true) or on (false), and leaves the others as they are. */
function useKindSwitch(kind: Kind, { longreach: { own } }: Blocked) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const here = useTriggerOrganization()
  return useMutation({
    mutationFn: (isOff: boolean) =>
      triggersApi.setBlockedActions({ query: here, body: { ...own, [kind]: isOff } }),
    onSuccess: async (_, isOff) => {
      await stale(triggersApi.blockedActions)
      toast({ message: t(isOff ? 'trigger-actions.forbidden' : 'trigger-actions.allowed') })
    },
    // Where it is asked first, the dialog says it.
    onError: (error, isOff) =>
      isOff ? undefined : toast({ kind: 'failed', message: errorText(error).message }),
  })
}
