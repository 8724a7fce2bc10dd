import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button, MultiSelect, SegmentedControl } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useTriggerOrganization } from '../trigger-calls.ts'
import { trialClasses as classes } from './editor-classes.ts'
import { useEditedTrigger } from './trigger-context.ts'
import { toPosted } from './trigger-draft.ts'
import { TriggerTrialResult } from './TriggerTrialResult.tsx'
import { spanNames, type TrialSpan, trialSpans } from './trial-spans.ts'

const mostDevices = 20

/** Trial of the edited trigger on the past of some devices, by the code that judges it later. */
export function TriggerTrial() {
  const t = useWords()
  const { draft } = useEditedTrigger()
  const here = useTriggerOrganization()
  const errorText = useErrorText()
  const [span, setSpan] = useState<TrialSpan>('week')
  const [devices, setDevices] = useState<string[]>([])
  const { data } = useQuery(
    query(api.mappings.devices, { query: { ...here, page: 0, pageSize: 200 } }),
  )
  const offered = (data?.data ?? []).map(({ deviceId, label }) => ({ value: deviceId, label }))
  const trial = useMutation({
    mutationFn: async () => {
      const to = Date.now()
      const from = to - trialSpans[span]
      const { policy, actions, longreach } = toPosted(draft).triggerData
      const triggerData = { policy, actions, longreach }
      const result = await api.platform.tryTriggerData({
        query: here,
        body: { devices, from, to, triggerData },
      })
      // What was tried is shown as it was, whatever is changed later.
      return { result, span, draft, range: { from, to } }
    },
  })
  return (
    <Panel title={t('trigger-editor.trial.title')}>
      <div className={classes.fields}>
        <p className={classes.help}>{t('trigger-editor.trial.help')}</p>
        <MultiSelect
          label={t('trigger-editor.trial.devices')}
          searchable
          maxValues={mostDevices}
          data={offered}
          value={devices}
          onChange={setDevices}
        />
        <SegmentedControl
          aria-label={t('trigger-editor.trial.span')}
          data={spanNames.map((name) => ({
            value: name,
            label: t(`trigger-editor.trial.spanOf.${name}`),
          }))}
          value={span}
          onChange={(next) => setSpan(spanNames.find((name) => name === next) ?? 'week')}
        />
        <Button
          className={classes.start}
          variant="default"
          loading={trial.isPending}
          disabled={devices.length === 0}
          onClick={() => trial.mutate()}
        >
          {t('trigger-editor.trial.run')}
        </Button>
        {trial.error && <ErrorPanel {...errorText(trial.error)} />}
        {trial.data && (
          <TriggerTrialResult
            {...trial.data}
            labelOf={(id) => offered.find(({ value }) => value === id)?.label ?? id}
          />
        )}
      </div>
    </Panel>
  )
}
