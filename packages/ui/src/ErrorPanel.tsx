import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyText } from './CopyText.tsx'
import classes from './ErrorPanel.module.css'
import { useWords } from './use-words.ts'

type ErrorPanelProps = {
  /** Text that says what failed and what the person can do. */
  message: string
  /** By which the operator finds the failure in the server's log. */
  reference?: string | undefined
  onRetry?: (() => void) | undefined
  /** `warning` for what nobody did wrong but everybody should know. */
  tone?: 'alarm' | 'warning'
}

/** A failure where it happened; the rest of the page works on. */
export function ErrorPanel({ message, reference, onRetry, tone = 'alarm' }: ErrorPanelProps) {
  const t = useWords()
  return (
    <div className={classes.panel} data-tone={tone} role="alert">
      <IconAlertTriangle size={18} stroke={1.8} className={classes.icon} />
      <div className={classes.text}>
        <span>{message}</span>
        {reference !== undefined && (
          <span className={classes.reference}>
            {t('ui.reference')} <CopyText text={reference} label={t('ui.reference')} />
          </span>
        )}
      </div>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      )}
    </div>
  )
}
