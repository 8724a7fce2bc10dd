import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { NumberInput, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { severityName } from '../../../parts/alarms/severity.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import {
  overrideDraft,
  limitsOfLevels,
  type OverrideDraft,
  overrideOf,
  type RuleOverride,
} from './override-draft.ts'
import { renewRules, ruleOf, type StoredRule, useRuleReach } from './rule-calls.ts'
import { classes } from './rule-classes.ts'

type Props = {
  stored: StoredRule
  device: { id: string; label: string }
  present: RuleOverride | undefined
  onClose: () => void
}

/** Dialog of what is different from a rule on one device: limits, delays, and out of service with the reason. */
export function OverrideDialog({ stored, device, present, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const query = useRuleReach()
  const rule = ruleOf(stored)
  const [draft, setDraft] = useState(() => overrideDraft(rule, present))
  const edit = (change: Partial<OverrideDraft>) => setDraft({ ...draft, ...change })
  const isReasonMissing = draft.until !== '' && draft.reason.trim() === ''
  const save = useMutation({
    mutationFn: () =>
      alarmsApi.setOverride({
        params: { id: stored.id, deviceId: device.id },
        query,
        body: overrideOf(draft),
      }),
    onSuccess: () => {
      renewRules()
      toast({ message: t('rule-tools.overrideSaved', { device: device.label }) })
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('rule-tools.overrideTitle', { rule: rule.name, device: device.label })}
      verb={t('alarm-rules.save')}
      pending={save.isPending}
      error={save.error ? errorText(save.error).message : undefined}
      onSubmit={() => {
        if (!isReasonMissing) save.mutate()
      }}
      onClose={onClose}
    >
      <p className={classes.help}>{t('rule-tools.overrideHelp')}</p>
      <OverrideLevels stored={stored} draft={draft} edit={edit} />
      <div className={classes.pair}>
        <NumberInput
          label={t('alarm-rules.onDelay')}
          min={0}
          suffix={` ${t('alarm-rules.unit.s')}`}
          placeholder={`${rule.onDelayMs / 1_000} ${t('alarm-rules.unit.s')}`}
          value={draft.onDelayS}
          onChange={(next) => edit({ onDelayS: typed(next) })}
        />
        <NumberInput
          label={t('alarm-rules.offDelay')}
          min={0}
          suffix={` ${t('alarm-rules.unit.s')}`}
          placeholder={`${rule.offDelayMs / 1_000} ${t('alarm-rules.unit.s')}`}
          value={draft.offDelayS}
          onChange={(next) => edit({ offDelayS: typed(next) })}
        />
      </div>
      <TextInput
        type="datetime-local"
        label={t('rule-tools.outUntil')}
        description={t('rule-tools.outUntilHelp')}
        value={draft.until}
        onChange={(event) => edit({ until: event.currentTarget.value })}
      />
      <Textarea
        label={t('rule-tools.reason')}
        required={draft.until !== ''}
        error={isReasonMissing && t('rule-tools.reasonNeeded')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={draft.reason}
        onChange={(event) => edit({ reason: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

const typed = (next: number | string) => (next === '' || next === '-' ? '' : Number(next))

type LevelProps = {
  stored: StoredRule
  draft: OverrideDraft
  edit: (change: Partial<OverrideDraft>) => void
}

/** Limit and end of each level, for a rule that has numbers there. */
function OverrideLevels({ stored, draft, edit }: LevelProps) {
  const t = useWords()
  const rule = ruleOf(stored)
  const limits = limitsOfLevels(rule)
  if (limits.every(({ value }) => value === undefined)) return null
  return draft.levels.map((level, index) => {
    const severity = t(`alarm.severity.${severityName(rule.levels[index]?.severity ?? 0)}`)
    const change = (part: Partial<typeof level>) =>
      edit({ levels: draft.levels.map((one, at) => (at === index ? { ...one, ...part } : one)) })
    return (
      // A level has no other name than its place.
      // oxlint-disable-next-line react/no-array-index-key
      <div key={index} className={classes.pair}>
        <NumberInput
          label={t('rule-tools.limitOf', { severity })}
          placeholder={String(limits[index]?.value ?? '')}
          value={level.value}
          onChange={(next) => change({ value: typed(next) })}
        />
        <NumberInput
          label={t('alarm-rules.clear')}
          placeholder={String(limits[index]?.clear ?? '')}
          value={level.clear}
          onChange={(next) => change({ clear: typed(next) })}
        />
      </div>
    )
  })
}
