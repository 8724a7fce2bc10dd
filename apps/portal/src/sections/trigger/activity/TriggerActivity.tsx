import { Panel } from '@longreach/ui/PageHeader'
import { toTriggerDraft } from '../editor/trigger-draft.ts'
import { sentenceTokens } from '../sentence/sentence-tokens.ts'
import { TriggerSentence } from '../sentence/TriggerSentence.tsx'
import { useSaying } from '../sentence/use-sentence.ts'
import type { Trigger } from '../trigger-calls.ts'
import classes from './activity.module.css'
import { CounterChart } from './CounterChart.tsx'
import { RunList } from './RunList.tsx'

/** Sentence of a trigger, how often it fired and ran, and its runs. */
export function TriggerActivity({ trigger }: { trigger: Trigger }) {
  const saying = useSaying()
  return (
    <div className={classes.activity}>
      <Panel>
        <TriggerSentence tokens={sentenceTokens(toTriggerDraft(trigger), saying)} small />
      </Panel>
      <CounterChart trigger={trigger} />
      <RunList trigger={trigger} />
    </div>
  )
}
