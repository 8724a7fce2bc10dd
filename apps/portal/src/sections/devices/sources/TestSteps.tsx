import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { TestAnswer } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import { cleaned, type Draft } from './source-rules.ts'
import classes from './sources.module.css'

type Props = { deviceId: string; draft: Draft; replaces?: string }

/** Tries the connection from the gateway, and says which step failed and why. */
export function TestSteps({ deviceId, draft, replaces }: Props) {
  const t = useWords()
  const text = useAgentErrorText()
  const ask = useAgentCommand(deviceId)
  const test = useMutation({
    mutationFn: () => {
      const input = { source: cleaned(draft), ...(replaces !== undefined && { replaces }) }
      return ask({ command: 'source.test', input }, TestAnswer)
    },
  })
  return (
    <div className={classes.stack}>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={15} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('gateway.test')}
        </Button>
      </div>
      {test.error && <ErrorPanel message={text(test.error, t('gateway.noAnswer'))} />}
      <output>
        {test.data && (
          <ul className={classes.steps}>
            {test.data.steps.map(({ step, ok, detail, ms }) => (
              <li key={step}>
                <StatusDot tone={ok ? 'ok' : 'alarm'}>
                  <span>
                    <b>{t(`gateway.step.${step}`)}</b> {detail}{' '}
                    <span className={classes.dim}>{t('gateway.ms', { ms })}</span>
                  </span>
                </StatusDot>
              </li>
            ))}
          </ul>
        )}
      </output>
    </div>
  )
}
