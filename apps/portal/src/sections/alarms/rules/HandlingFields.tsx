import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, NumberInput, SegmentedControl, Select, Switch } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { DurationField } from './DurationField.tsx'
import { useEditing } from './rule-context.ts'
import { SeverityField, TextField } from './RuleField.tsx'
import { useRuleField } from './use-rule-field.ts'
import { classes } from './rule-classes.ts'

/** Acknowledgement, reset, ladder, chatter, first-out, bad values and late values. */
export function HandlingFields() {
  const t = useWords()
  const { rule, set, locked } = useEditing()
  return (
    <div className={classes.fields}>
      <Switch
        label={t('alarm-rules.ack')}
        disabled={locked}
        checked={rule.ack}
        onChange={(event) => set('ack', event.currentTarget.checked)}
      />
      <Switch
        label={t('alarm-rules.reset')}
        disabled={locked}
        checked={rule.reset}
        onChange={(event) => set('reset', event.currentTarget.checked)}
      />
      <LadderFields />
      <div className={classes.pair}>
        <ChatterField />
        <DurationField place="chatter.withinMs" label={t('alarm-rules.chatterWithin')} />
      </div>
      <div className={classes.pair}>
        <TextField
          place="group"
          label={t('alarm-rules.firstOut')}
          help={t('alarm-rules.groupHelp')}
          maxLength={100}
        />
        <DurationField
          place="lateNotifyMs"
          label={t('alarm-rules.lateNotify')}
          help={t('alarm-rules.lateNotifyHelp')}
        />
      </div>
      <div>
        <p className={classes.label}>{t('alarm-rules.quality')}</p>
        <SegmentedControl
          aria-label={t('alarm-rules.quality')}
          disabled={locked}
          data={(['hold', 'alarm'] as const).map((one) => ({
            value: one,
            label: t(`alarm-rules.qualityOf.${one}`),
          }))}
          value={rule.quality}
          onChange={(next) => set('quality', next)}
        />
      </div>
    </div>
  )
}

function ChatterField() {
  const t = useWords()
  const { value, set, common } = useRuleField({
    place: 'chatter.max',
    label: t('alarm-rules.chatter'),
  })
  return (
    <NumberInput
      {...common}
      description={t('alarm-rules.chatterHelp')}
      min={0}
      max={20}
      allowDecimal={false}
      value={Number(value)}
      onChange={(next) => set(Number(next))}
    />
  )
}

/** Steps by which an alarm gets worse with time. */
function LadderFields() {
  const t = useWords()
  const { rule, set, locked } = useEditing()
  const worst = rule.levels.at(-1)?.severity ?? 5
  return (
    <div className={classes.fields}>
      {rule.ladder.map((step, index) => (
        // A step has no other name than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.leaf}>
          <div className={classes.leafFields}>
            <DurationField place={`ladder.${index}.afterMs`} label={t('alarm-rules.stepAfter')} />
            <Select
              label={t('alarm-rules.stepWhile')}
              allowDeselect={false}
              disabled={locked}
              data={(['active', 'unacknowledged'] as const).map((one) => ({
                value: one,
                label: t(`alarm-rules.while.${one}`),
              }))}
              value={step.while}
              onChange={(next) => set(`ladder.${index}.while`, next)}
            />
            <SeverityField place={`ladder.${index}.severity`} label={t('alarm-rules.severity')} />
          </div>
          {!locked && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('alarm-rules.removeStep', { step: index + 1 })}
              onClick={() =>
                set(
                  'ladder',
                  rule.ladder.filter((_, at) => at !== index),
                )
              }
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!locked && rule.ladder.length < 20 && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.add}
          leftSection={<IconPlus size={14} stroke={2} />}
          onClick={() =>
            set('ladder', [
              ...rule.ladder,
              { afterMs: 900_000, while: 'unacknowledged', severity: Math.min(6, worst + 1) },
            ])
          }
        >
          {t('alarm-rules.addStep')}
        </Button>
      )}
    </div>
  )
}
