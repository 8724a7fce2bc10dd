import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { formatTime } from '@longreach/ui/format'
import { Panel } from '@longreach/ui/PageHeader'
import { Facts } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, MultiSelect, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { api, query } from '../../../parts/api/api.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useRuleOrganization } from './rule-calls.ts'
import { useEditing } from './rule-context.ts'
import classes from './rules.module.css'

type Trial = Result<(typeof platformContract)['endpoints']['tryRule']>
type Tried = Trial['devices'][number]

const day = 86_400_000
const spans = { day, week: 7 * day, month: 30 * day } as const
type Span = keyof typeof spans
const names: readonly Span[] = ['day', 'week', 'month']
const mostDevices = 20
const mostShown = 5

/** Trial of the edited rule on the past of some devices, by the code that judges it later. */
export function RuleTrial({ ruleId }: { ruleId: string | undefined }) {
  const t = useWords()
  const { rule } = useEditing()
  const here = useRuleOrganization()
  const errorText = useErrorText()
  const [span, setSpan] = useState<Span>('week')
  const [chosen, setChosen] = useState<string[]>([])
  const { data } = useQuery(
    query(api.mappings.devices, { query: { ...here, page: 0, pageSize: 200 } }),
  )
  const devices = (data?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label }))
  const asked = 'deviceId' in rule.scope ? [rule.scope.deviceId] : chosen
  const run = useMutation({
    mutationFn: () => {
      const to = Date.now()
      return api.platform.tryRule({
        query: here,
        body: {
          rule,
          devices: asked,
          from: to - spans[span],
          to,
          ...(ruleId !== undefined && { ruleId }),
        },
      })
    },
  })
  return (
    <Panel title={t('alarm-rules.trial.title')}>
      <div className={classes.fields}>
        <p className={classes.help}>{t('alarm-rules.trial.help')}</p>
        {'model' in rule.scope && (
          <MultiSelect
            label={t('alarm-rules.trial.devices')}
            searchable
            maxValues={mostDevices}
            data={devices}
            value={chosen}
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
        <Button
          className={classes.add}
          variant="default"
          loading={run.isPending}
          disabled={asked.length === 0}
          onClick={() => run.mutate()}
        >
          {t('alarm-rules.trial.run')}
        </Button>
        {run.error && <ErrorPanel {...errorText(run.error)} />}
        {run.data && (
          <div role="status" className={classes.fields}>
            {!run.data.complete && <p className={classes.help}>{t('alarm-rules.trial.cut')}</p>}
            {run.data.devices.map((tried) => (
              <TriedDevice
                key={tried.deviceId}
                tried={tried}
                label={devices.find(({ value }) => value === tried.deviceId)?.label}
              />
            ))}
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Alarms that the rule would have raised on one device. */
function TriedDevice({ tried, label }: { tried: Tried; label: string | undefined }) {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const { difference, missing, occurrences } = tried
  const items = [
    { label: t('alarm-rules.trial.hours'), value: formatNumber(tried.hours) },
    { label: t('alarm-rules.trial.short'), value: formatNumber(tried.under5s) },
    { label: t('alarm-rules.trial.most'), value: formatNumber(tried.mostInTenMinutes) },
    ...(difference
      ? [
          {
            label: t('alarm-rules.trial.difference'),
            value: t('alarm-rules.trial.changes', difference),
          },
        ]
      : []),
    { label: t('alarm-rules.trial.misses'), value: formatNumber(tried.nearestMisses.length) },
  ]
  return (
    <section>
      <p className={classes.label}>
        {t('alarm-rules.trial.count', { device: label ?? tried.deviceId, count: tried.count })}
      </p>
      {missing.length > 0 && (
        <p className={classes.fault}>
          {t('alarm-rules.trial.missing', { paths: missing.join(', ') })}
        </p>
      )}
      <Facts items={items} />
      <ul className={classes.versions}>
        {occurrences.slice(0, mostShown).map(({ instance, start, end }) => (
          <li key={`${instance} ${start}`} className={classes.dim}>
            {formatTime(new Date(start), locale, usualZone())}
            {end !== undefined && ` · ${lengthText(end - start, locale)}`}
          </li>
        ))}
      </ul>
    </section>
  )
}
