import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { DurationField } from './DurationField.tsx'
import { useEditing } from './rule-context.ts'
import { PathField } from './RuleField.tsx'
import { classes } from './rule-classes.ts'

/** Silence of a data point, or of the whole device. */
export function SilenceFields() {
  const t = useWords()
  const { rule, set, locked } = useEditing()
  if (rule.kind !== 'silence') return null
  const isOfDevice = rule.when.path === undefined
  return (
    <div className={classes.fields}>
      <SegmentedControl
        aria-label={t('alarm-rules.silenceOf')}
        disabled={locked}
        data={[
          { value: 'device', label: t('alarm-rules.silenceOfDevice') },
          { value: 'path', label: t('alarm-rules.silenceOfPath') },
        ]}
        value={isOfDevice ? 'device' : 'path'}
        onChange={(next) => set('when.path', next === 'path' ? '' : undefined)}
      />
      <div className={classes.pair}>
        {!isOfDevice && <PathField place="when.path" label={t('alarm-rules.path')} />}
        <DurationField place="when.forMs" label={t('alarm-rules.silentFor')} />
      </div>
    </div>
  )
}

/** Loss or return of a device's connection. */
export function LinkFields() {
  const t = useWords()
  const { rule, set, locked } = useEditing()
  if (rule.kind !== 'connection') return null
  return (
    <div className={classes.fields}>
      <SegmentedControl
        aria-label={t('alarm-rules.connection')}
        disabled={locked}
        data={[
          { value: 'OFF', label: t('alarm-rules.isLost') },
          { value: 'ON', label: t('alarm-rules.isThere') },
        ]}
        value={rule.when.status}
        onChange={(status) => set('when.status', status)}
      />
    </div>
  )
}
