import { useWords } from '@longreach/ui/use-words'
import { Textarea } from '@mantine/core'
import { DurationField } from './DurationField.tsx'
import { TextField } from './RuleField.tsx'
import { useRuleField } from './use-rule-field.ts'
import { classes } from './rule-classes.ts'

/** Fields of the texts that an operator reads first: what to do, what the alarm leads to, what it comes from. */
export function MeaningFields() {
  const t = useWords()
  return (
    <div className={classes.fields}>
      <LongTextField
        place="response"
        label={t('alarm-rules.response')}
        help={t('alarm-rules.responseHelp')}
      />
      <div className={classes.pair}>
        <LongTextField place="consequence" label={t('alarm-rules.consequence')} />
        <LongTextField place="cause" label={t('alarm-rules.cause')} />
      </div>
      <div className={classes.pair}>
        <DurationField place="respondWithinMs" label={t('alarm-rules.respondWithin')} />
        <TextField place="class" label={t('alarm-rules.class')} maxLength={100} />
      </div>
      <TextField
        place="link"
        label={t('alarm-rules.link')}
        maxLength={2_000}
        help={t('alarm-rules.linkHelp')}
      />
    </div>
  )
}

type Props = { place: string; label: string; help?: string }

/** Text of several lines. */
function LongTextField({ help, ...props }: Props) {
  const { value, set, common } = useRuleField(props)
  return (
    <Textarea
      {...common}
      description={help}
      autosize
      minRows={2}
      maxLength={2_000}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
