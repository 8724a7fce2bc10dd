import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
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
  const findWords = useOptionalWords()
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
                    <b>{findWords(`gateway.step.${one.step}`) ?? one.step}</b> {told(one)}{' '}
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

/** Text of a step in the person's language; the gateway's own text if its code is missing or unknown. */
function useTold() {
  const findWords = useOptionalWords()
  return ({ code, values, detail }: TestStep) => findWords(`gateway.told.${code}`, values) ?? detail
}
