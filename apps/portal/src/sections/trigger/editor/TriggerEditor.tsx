import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useRef, useState } from 'react'
import { withAt } from '../../../parts/forms/draft-places.ts'
import { LeaveDialog } from '../../../parts/pages/LeaveDialog.tsx'
import type { Trigger } from '../trigger-calls.ts'
import { ActionFields } from './ActionFields.tsx'
import { BasicFields, MessageSettings } from './BasicFields.tsx'
import { EditableSentence } from './EditableSentence.tsx'
import classes from './editor.module.css'
import { triggerPlaces } from './field-places.ts'
import { OtherFaults } from './OtherFaults.tsx'
import { PolicyFields } from './PolicyFields.tsx'
import { SaveTrigger } from './SaveTrigger.tsx'
import { TriggerContext } from './trigger-context.ts'
import type { TriggerDraft } from './trigger-draft.ts'
import { TriggerTrial } from './TriggerTrial.tsx'
import { refusedSave, useFaultsByPlace, useTriggerFaults } from './use-trigger-faults.ts'

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
  const [refused, setRefused] = useState<{ draft: TriggerDraft; error: unknown }>()
  const leaving = useRef(false)
  const isDirty = draft !== start && JSON.stringify(draft) !== JSON.stringify(start)
  const faults = useTriggerFaults(draft, stored?.id)
  const places = useMemo(() => triggerPlaces(draft), [draft])
  // What the server refused counts until something is changed.
  const refusal = refusedSave(refused?.draft === draft ? refused.error : undefined)
  const issues = isDirty || refusal.issues.length > 0 ? [...faults.issues, ...refusal.issues] : none
  const { faultOf, others } = useFaultsByPlace(issues, places)
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
        <OtherFaults
          others={others}
          chain={faults.loop.length > 0 ? faults.loop : refusal.chain}
          missing={refusal.missing}
        />
      </Panel>
      <div className={classes.editor}>
        <div className={classes.form}>
          <Panel title={t('trigger-editor.part.basic')}>
            <BasicFields />
          </Panel>
          <Panel title={t('trigger-editor.part.when')}>
            <PolicyFields policy={draft.policy} path={[]} />
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
      {!locked && (isDirty || stored === undefined) && (
        <SaveTrigger
          stored={stored}
          draft={draft}
          isTouched={isDirty}
          wrong={
            faults.isSettled ? faults.issues.length + (faults.loop.length > 0 ? 1 : 0) : undefined
          }
          onRefused={(error) => setRefused({ draft, error })}
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

const none: readonly never[] = []
