import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { TestAnswer, type TestStep } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import { cleaned, type Draft } from './source-rules.ts'
import classes from './sources.module.css'

type Props = { deviceId: string; draft: Draft; replaces?: string }

/** Tries the connection from the gateway, and says which step failed and why. */
export function TestSteps({ deviceId, draft, replaces }: Props) {
  const t = useWords()
  const text = useAgentErrorText()
  const told = useTold()
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
            {test.data.steps.map((one) => (
              <li key={one.step}>
                <StatusDot tone={one.ok ? 'ok' : 'alarm'}>
                  <span>
                    <b>{t(`gateway.step.${one.step}`)}</b> {told(one)}{' '}
                    <span className={classes.dim}>{t('gateway.ms', { ms: one.ms })}</span>
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

/** A step's sentence in the reader's language; the gateway's own where it has no code, or one that is not known here. */
function useTold() {
  const { messages } = useIntl()
  const t = useWords()
  return ({ code, values, detail }: TestStep) =>
    messages[`gateway.told.${code}`] === undefined ? detail : t(`gateway.told.${code}`, values)
}
