import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { ActionButton } from '@longreach/ui/ActionButton'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, stale } from '../../../parts/api/api.ts'
import { type AgentHealth, useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import classes from './sources.module.css'

type Props = {
  deviceId: string
  health: AgentHealth
  available: { version: string; older: boolean }
  /** Why nothing may be changed now; undefined when it may. */
  reason: string | undefined
}
const tones: Record<NonNullable<AgentHealth['update']>['state'], Tone> = {
  downloading: 'info',
  trying: 'info',
  done: 'ok',
  rolled_back: 'warning',
  refused: 'warning',
}

/** Version of the agent beside the platform's, and the steps of an update. */
export function GatewayUpdate({ deviceId, health, available: { version, older }, reason }: Props) {
  const t = useWords()
  const [asking, setAsking] = useState(false)
  const ask = useAgentCommand(deviceId)
  const text = useAgentErrorText()
  const update = useMutation({
    mutationFn: () =>
      ask(
        { command: 'agent.update', input: { version, ...(older && { downgrade: true }) } },
        z.object({ state: z.string() }),
      ),
    onSuccess: () => {
      setAsking(false)
      return stale(api.platform.agent)
    },
  })
  const last = health.update
  const other = version !== health.version
  const words = older ? 'gateway.goBack' : 'gateway.update'
  return (
    <div className={classes.stack}>
      <div className={classes.bar}>
        {other ? (
          <ActionButton
            reason={reason ?? (health.remote.update ? undefined : t('gateway.updateLocked'))}
            onClick={() => setAsking(true)}
          >
            {t(words, { version })}
          </ActionButton>
        ) : (
          <StatusDot tone="ok">{t('gateway.upToDate')}</StatusDot>
        )}
      </div>
      {last && (
        <StatusDot tone={tones[last.state]}>
          <span>
            {t(`gateway.update.${last.state}`, { version: last.version, from: last.from })}{' '}
            {last.reason && <span className={classes.dim}>{last.reason} </span>}
            <RelativeTime at={last.at} />
          </span>
        </StatusDot>
      )}
      {asking && (
        <ConfirmDialog
          title={t(words, { version })}
          verb={t(older ? 'gateway.goBackVerb' : 'gateway.updateVerb')}
          pending={update.isPending}
          error={update.error ? text(update.error, t('gateway.noAnswer')) : undefined}
          onConfirm={() => update.mutate()}
          onClose={() => setAsking(false)}
        >
          {t('gateway.updateText', { from: health.version, version })}
        </ConfirmDialog>
      )}
    </div>
  )
}
