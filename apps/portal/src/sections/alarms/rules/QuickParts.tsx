import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEditing } from './rule-context.ts'
import { newLeaf } from './rule-draft.ts'
import { classes } from './rule-classes.ts'

/** Buttons that add what the sentence does not say yet. */
export function QuickParts() {
  const t = useWords()
  const { rule, set } = useEditing()
  const offers = [
    rule.onDelayMs === 0 && {
      word: t('alarm-rules.quick.delay'),
      add: () => set('onDelayMs', 10_000),
    },
    rule.unless === undefined && {
      word: t('alarm-rules.quick.unless'),
      add: () =>
        set('unless', {
          when: { ...newLeaf, op: '==', value: true },
          onDelayMs: 0,
          offDelayMs: 0,
        }),
    },
    rule.schedule === undefined && {
      word: t('alarm-rules.quick.schedule'),
      add: () =>
        set('schedule', {
          zone: 'device',
          times: [{ days: [1, 2, 3, 4, 5], from: '06:00', to: '22:00' }],
          exceptDates: [],
        }),
    },
  ].filter((offer) => offer !== false)
  return (
    <div className={classes.quick}>
      {offers.map(({ word, add }) => (
        <Button
          key={word}
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={2} />}
          onClick={add}
        >
          {word}
        </Button>
      ))}
    </div>
  )
}
