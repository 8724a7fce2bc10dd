import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { renewTriggers, type Trigger, useTriggerOrganization } from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { classes } from './editor-classes.ts'
import { toPosted, type TriggerDraft } from './trigger-draft.ts'
import { type Faults, TriggerFaults } from './TriggerFaults.tsx'
import { refusedSave } from './use-trigger-faults.ts'

type Props = {
  stored: Trigger | undefined
  draft: TriggerDraft
  /** False while nobody has changed anything: nothing is wrong yet. */
  isTouched: boolean
  /** Undefined while they are not known. */
  faults: Faults | undefined
  onRefused: (error: unknown) => void
  /** The page goes on by itself after saving. */
  onLeaving: (is: boolean) => void
  /** Nothing unsaved is left, or it shall be given up for the newest version. */
  onDone: () => void
  onDiscard: (() => void) | undefined
}

/** Bar that saves the trigger, and says what keeps it from being saved. */
export function SaveTrigger(props: Props) {
  const { stored, draft, isTouched, faults, onRefused, onLeaving, onDone, onDiscard } = props
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const query = useTriggerOrganization()
  const save = useMutation({
    mutationFn: () => {
      const body = toPosted(draft, stored?.longreach.version)
      return stored
        ? triggersApi.replaceTrigger({ params: { id: stored.id }, query, body })
        : triggersApi.createTrigger({ query, body })
    },
    onSuccess: async ({ id, name }) => {
      onLeaving(true)
      await renewTriggers()
      onDone()
      toast({ message: t('trigger-editor.saved', { name }) })
      if (!stored) await navigate(linkTo('/trigger/$triggerId', { params: { triggerId: id } }))
      onLeaving(false)
    },
    onError: onRefused,
  })
  const { isChanged } = refusedSave(save.error)
  const isFaultless = faults?.issues.length === 0 && !faults.isLoop
  return (
    <>
      {save.error && (
        <ErrorPanel
          {...errorText(save.error)}
          {...(isChanged && { onRetry: () => void renewTriggers().then(onDone) })}
        />
      )}
      <div className={classes.saveBar}>
        <span role="status" className={classes.saveText}>
          {isTouched && <TriggerFaults draft={draft} faults={faults} />}
        </span>
        {onDiscard && (
          <Button variant="default" onClick={onDiscard}>
            {t('trigger-editor.discard')}
          </Button>
        )}
        <Button loading={save.isPending} disabled={!isFaultless} onClick={() => save.mutate()}>
          {t(stored ? 'trigger-editor.save' : 'trigger-editor.create')}
        </Button>
      </div>
    </>
  )
}
