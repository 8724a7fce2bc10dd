import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { severityName } from '../../../parts/alarms/severity.ts'
import { DurationField } from './DurationField.tsx'
import { useEditing } from './rule-context.ts'
import { classes } from './rule-classes.ts'
import { type Consequence, consequences, proposedSeverity } from './severity-proposal.ts'

/** Proposes the severity of the worst level from its consequence and the time there is to respond. */
export function SeverityProposal() {
  const t = useWords()
  const { rule, set } = useEditing()
  const [consequence, setConsequence] = useState<Consequence>()
  const proposed = consequence && proposedSeverity(consequence, rule.respondWithinMs)
  const worst = rule.levels.length - 1
  return (
    <details className={classes.proposal}>
      <summary>{t('alarm-rules.proposal')}</summary>
      <p className={classes.help}>{t('alarm-rules.proposalHelp')}</p>
      <div className={classes.pair}>
        <SegmentedControl
          aria-label={t('alarm-rules.consequenceKind')}
          data={consequences.map((one) => ({
            value: one,
            label: t(`alarm-rules.consequenceOf.${one}`),
          }))}
          value={consequence ?? ''}
          onChange={(next) => setConsequence(consequences.find((one) => one === next))}
        />
        <DurationField place="respondWithinMs" label={t('alarm-rules.respondWithin')} />
      </div>
      {proposed !== undefined && (
        <Button
          variant="light"
          size="compact-sm"
          onClick={() => set(`levels.${worst}.severity`, proposed)}
        >
          {t('alarm-rules.takeProposal', {
            severity: `${proposed} · ${t(`alarm.severity.${severityName(proposed)}`)}`,
          })}
        </Button>
      )}
    </details>
  )
}
