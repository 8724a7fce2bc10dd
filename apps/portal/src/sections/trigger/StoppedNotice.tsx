import { ActionButton } from '@longreach/ui/ActionButton'
import { formatTime } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useErrorText } from '../../parts/words/error-text.ts'
import { ChainText } from './ChainText.tsx'
import classes from './StoppedNotice.module.css'
import {
  renewTriggers,
  type Trigger,
  useMayNotChange,
  useTriggerOrganization,
} from './trigger-calls.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'

/** Reason for which a trigger no longer runs, with the chain of a loop, and the way to let it run again. */
export function StoppedNotice({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const { locale, timeZone } = useIntl()
  const errorText = useErrorText()
  const query = useTriggerOrganization()
  const reason = useMayNotChange('update')
  const resume = useMutation({
    mutationFn: () => triggersApi.resumeTrigger({ params: { id: trigger.id }, query, body: {} }),
    onSuccess: renewTriggers,
  })
  const { stopped, state } = trigger.longreach
  if (stopped === null) return null
  return (
    <section
      className={classes.notice}
      data-state={state}
      aria-label={t(`trigger.stateOf.${state}`)}
    >
      <IconPlayerStop size={18} stroke={1.8} className={classes.icon} />
      <div className={classes.text}>
        <strong>{t(`trigger.stopped.${stopped.code}`, { owner: trigger.owner })}</strong>
        <span className={classes.since}>
          {t('trigger.stoppedSince', {
            time: formatTime(new Date(stopped.at), locale, timeZone),
          })}
        </span>
        {stopped.chain.length > 0 && <ChainText chain={stopped.chain} />}
        {resume.error && <ErrorPanel {...errorText(resume.error)} />}
      </div>
      <ActionButton
        variant="default"
        reason={reason && t(reason)}
        loading={resume.isPending}
        leftSection={<IconPlayerPlay size={16} stroke={1.8} />}
        onClick={() => resume.mutate()}
      >
        {t('trigger.resume')}
      </ActionButton>
    </section>
  )
}
