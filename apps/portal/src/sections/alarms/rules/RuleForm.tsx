import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { ConditionFields } from './ConditionFields.tsx'
import { DurationField } from './DurationField.tsx'
import { GeneralFields } from './GeneralFields.tsx'
import { HandlingFields } from './HandlingFields.tsx'
import { AlarmLevelFields } from './AlarmLevelFields.tsx'
import { LinkFields, SilenceFields } from './LinkFields.tsx'
import { MeaningFields } from './MeaningFields.tsx'
import { useEditing } from './rule-context.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { AlarmTextFields } from './AlarmTextFields.tsx'
import { UnlessFields } from './UnlessFields.tsx'
import { classes } from './rule-classes.ts'

/** Every field of a rule, in parts. */
export function RuleForm() {
  const t = useWords()
  const { rule } = useEditing()
  return (
    <div className={classes.form}>
      <Panel title={t('alarm-rules.part.general')}>
        <GeneralFields />
      </Panel>
      <div id="rule-when">
        <Panel title={t('alarm-rules.part.when')}>
          {rule.kind === 'condition' && <ConditionFields place="when" condition={rule.when} />}
          {rule.kind === 'silence' && <SilenceFields />}
          {rule.kind === 'connection' && <LinkFields />}
          <div className={classes.pair}>
            <DurationField
              place="onDelayMs"
              label={t('alarm-rules.onDelay')}
              help={t('alarm-rules.onDelayHelp')}
            />
            <DurationField
              place="offDelayMs"
              label={t('alarm-rules.offDelay')}
              help={t('alarm-rules.offDelayHelp')}
            />
          </div>
        </Panel>
      </div>
      <Panel title={t('alarm-rules.part.levels')}>
        <AlarmLevelFields />
      </Panel>
      <div id="rule-unless">
        <Panel title={t('alarm-rules.part.unless')}>
          <UnlessFields />
        </Panel>
      </div>
      <div id="rule-schedule">
        <Panel title={t('alarm-rules.part.schedule')}>
          <ScheduleFields />
        </Panel>
      </div>
      <Panel title={t('alarm-rules.part.meaning')}>
        <MeaningFields />
      </Panel>
      <Panel title={t('alarm-rules.part.texts')}>
        <AlarmTextFields />
      </Panel>
      <div id="rule-quality">
        <Panel title={t('alarm-rules.part.handling')}>
          <HandlingFields />
        </Panel>
      </div>
    </div>
  )
}
