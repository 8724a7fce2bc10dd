import { AppError } from '@longreach/kit/errors'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Loader, MultiSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useModelChoices } from '../../../parts/models/use-model-choices.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { LimitChart } from './LimitChart.tsx'
import { versionsOf } from './model-filter.ts'
import { useRuleOrganization, useRuleReach } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'
import { classes } from './rule-classes.ts'
import { TriedDevice } from './TriedDevice.tsx'
import { useRuleTrial } from './use-trial.ts'

const day = 86_400_000
const spans = { day, week: 7 * day, month: 30 * day } as const
type Span = keyof typeof spans
const names: readonly Span[] = ['day', 'week', 'month']
const mostDevices = 20

/** Trial of the edited rule on the past of some devices, by the code that judges it later; it follows each change. */
export function RuleTrial({ ruleId }: { ruleId: string | undefined }) {
  const t = useWords()
  const { rule } = useEditing()
  const [span, setSpan] = useState<Span>('week')
  const [chosen, setChosen] = useState<string[]>()
  // The end stands still, so that two trials differ by the rule alone.
  const [to] = useState(() => Date.now())
  const window = useMemo(() => ({ from: to - spans[span], to }), [to, span])
  const devices = useDevicesOf('model' in rule.scope ? rule.scope : undefined)
  const first = devices.slice(0, 1).map(({ value }) => value)
  const own = 'deviceId' in rule.scope ? rule.scope.deviceId : undefined
  const asked = own === undefined ? (chosen ?? first) : own === '' ? [] : [own]
  const labelOf = (id: string) => devices.find(({ value }) => value === id)?.label ?? id
  return (
    <Panel title={t('alarm-rules.trial.title')}>
      <div className={classes.fields}>
        <p className={classes.help}>{t('alarm-rules.trial.help')}</p>
        {own === undefined && (
          <MultiSelect
            label={t('alarm-rules.trial.devices')}
            searchable
            maxValues={mostDevices}
            data={devices}
            value={chosen ?? first}
            onChange={setChosen}
          />
        )}
        <SegmentedControl
          aria-label={t('alarm-rules.trial.span')}
          data={names.map((name) => ({
            value: name,
            label: t(`alarm-rules.trial.spanOf.${name}`),
          }))}
          value={span}
          onChange={(next) => setSpan(names.find((name) => name === next) ?? 'week')}
        />
        {asked[0] !== undefined && (
          <LimitChart
            key={asked[0]}
            deviceId={asked[0]}
            label={labelOf(asked[0])}
            window={window}
          />
        )}
        <TrialResult {...{ ruleId, labelOf }} devices={asked} window={window} />
      </div>
    </Panel>
  )
}

type ResultProps = {
  ruleId: string | undefined
  devices: readonly string[]
  window: { from: number; to: number }
  labelOf: (id: string) => string
}

function TrialResult({ ruleId, devices, window, labelOf }: ResultProps) {
  const t = useWords()
  const errorText = useErrorText()
  const { rule } = useEditing()
  const { trial, isBehind } = useRuleTrial({ rule, ruleId, devices, ...window })
  const { data, error } = trial
  if (devices.length === 0) return <p className={classes.help}>{t('rule-tools.chooseDevice')}</p>
  const isFaulty = error instanceof AppError && error.code === 'platform.rule_invalid'
  return (
    <div role="status" aria-busy={isBehind} className={classes.fields}>
      {isBehind && (
        <span className={classes.dim}>
          <Loader size={12} /> {t('rule-tools.trying')}
        </span>
      )}
      {isFaulty && <p className={classes.help}>{t('rule-tools.afterFaults')}</p>}
      {error && !isFaulty && (
        <ErrorPanel {...errorText(error)} onRetry={() => void trial.refetch()} />
      )}
      {data && !error && (
        <>
          {!data.complete && <p className={classes.help}>{t('alarm-rules.trial.cut')}</p>}
          {data.devices.map((tried) => (
            <TriedDevice key={tried.deviceId} tried={tried} label={labelOf(tried.deviceId)} />
          ))}
        </>
      )}
    </div>
  )
}

/** Devices on which a rule can be tried: those of its model. */
function useDevicesOf(scope: { model: string; modelId?: string | undefined } | undefined) {
  const models = useModelChoices(useRuleOrganization().organization)
  const name = scope?.model.split(':')[0] ?? ''
  const ids = scope && versionsOf(models, scope)
  const ofVersions = ids?.map((id) => JSON.stringify(id)).join(', ')
  const data = [
    ...(name === '' ? [] : [`modelName == ${JSON.stringify(name)}`]),
    ...(ofVersions === undefined ? [] : [`modelId in [${ofVersions}]`]),
  ].join(' and ')
  const { data: found } = useQuery({
    ...query(api.mappings.devices, {
      query: { ...useRuleReach(), page: 0, pageSize: 200, ...(data !== '' && { data }) },
    }),
    enabled: scope !== undefined,
  })
  return useMemo(
    () => (found?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label })),
    [found],
  )
}
