import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useRef, useState } from 'react'
import { withAt } from '../../../parts/forms/draft-places.ts'
import { LeaveDialog } from '../../../parts/pages/LeaveDialog.tsx'
import type { Trigger } from '../trigger-calls.ts'
import { ActionFields } from './ActionFields.tsx'
import { BasicFields, MessageSettings } from './BasicFields.tsx'
import { EditableSentence } from './EditableSentence.tsx'
import { classes } from './editor-classes.ts'
import { OtherFaults } from './OtherFaults.tsx'
import { PolicyFields } from './PolicyFields.tsx'
import { SaveTrigger } from './SaveTrigger.tsx'
import { TriggerContext } from './trigger-context.ts'
import type { TriggerDraft } from './trigger-draft.ts'
import { TriggerTrial } from './TriggerTrial.tsx'
import { useShownFaults } from './use-trigger-faults.ts'

type Props = {
  /** Absent: a new trigger. */
  stored?: Trigger
  start: TriggerDraft
  locked: boolean
  /** True when something is changed, false when nothing unsaved is left. */
  onTouch?: (is: boolean) => void
}

/** Editor of a trigger: its sentence, whose words lead to fields, all fields, and a trial on the past. */
export function TriggerEditor({ stored, start, locked, onTouch }: Props) {
  const t = useWords()
  const [draft, setDraft] = useState(start)
  const leaving = useRef(false)
  const isDirty = draft !== start && JSON.stringify(draft) !== JSON.stringify(start)
  const { faultOf, others, chain, missing, faults, setRefused } = useShownFaults(
    draft,
    stored?.id,
    isDirty,
  )
  const secrets = useMemo(() => new Set(stored?.longreach.secrets), [stored])
  const edit = (change: (before: TriggerDraft) => TriggerDraft) => {
    setDraft(change)
    onTouch?.(true)
  }
  const edited = {
    draft,
    edit,
    set: (place: string, value: unknown) => edit((before) => withAt(before, place, value)),
    faultOf,
    secrets,
    locked,
  }
  return (
    <TriggerContext value={edited}>
      <Panel>
        <EditableSentence />
        <OtherFaults {...{ others, chain, missing }} />
      </Panel>
      <TriggerPanes policy={draft.policy} />
      {!locked && (isDirty || stored === undefined) && (
        <SaveTrigger
          stored={stored}
          draft={draft}
          isTouched={isDirty}
          faults={faults}
          onRefused={setRefused}
          onLeaving={(is) => {
            leaving.current = is
          }}
          onDone={() => onTouch?.(false)}
          onDiscard={
            stored &&
            (() => {
              setDraft(start)
              onTouch?.(false)
            })
          }
        />
      )}
      <LeaveDialog
        dirty={isDirty && !locked}
        leaving={leaving}
        title={t('trigger-editor.leaveTitle')}
        verb={t('trigger-editor.leave')}
      >
        {t('trigger-editor.leaveText')}
      </LeaveDialog>
    </TriggerContext>
  )
}

/** Fields of the trigger, with the trial beside them. */
function TriggerPanes({ policy }: Pick<TriggerDraft, 'policy'>) {
  const t = useWords()
  return (
    <div className={classes.editor}>
      <div className={classes.form}>
        <Panel title={t('trigger-editor.part.basic')}>
          <BasicFields />
        </Panel>
        <Panel title={t('trigger-editor.part.when')}>
          <PolicyFields policy={policy} path={[]} />
        </Panel>
        <Panel title={t('trigger-editor.part.then')}>
          <ActionFields />
        </Panel>
        <Panel title={t('trigger-editor.part.messages')}>
          <MessageSettings />
        </Panel>
      </div>
      <div className={classes.side}>
        <TriggerTrial />
      </div>
    </div>
  )
}
