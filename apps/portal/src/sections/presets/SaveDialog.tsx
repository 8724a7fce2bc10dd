import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Anchor, Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { JobProgress } from '../../parts/jobs/JobProgress.tsx'
import { useJob, watchJob } from '../../parts/jobs/jobs.ts'
import { useServerText } from '../../parts/words/server-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { AssignDialog } from './AssignDialog.tsx'
import { FastNote } from './FastNote.tsx'
import { type Preset, presetsChanged, useHere } from './preset-calls.ts'
import { wrongTimes } from './save-rules.ts'
import { TrialSummary } from './TrialSummary.tsx'
import classes from './presets.module.css'
import type { Editor } from './use-editor.ts'
import { valueNames } from './value-names.ts'

type Props = { editor: Editor; onClose: () => void; onLeave: (to: string) => void }

/** Dialog with the effects of saving, its progress, and then the choice of devices for the preset. */
export function SaveDialog({ editor, onClose, onLeave }: Props) {
  const t = useWords()
  const mayAssign = useMay()('devices:update')
  const saving = useSaving(editor)
  const [assigning, setAssigning] = useState(false)
  const { made } = saving
  if (assigning && made !== undefined) {
    const preset = { id: made, name: editor.draft.name }
    return (
      <AssignDialog
        preset={preset}
        first={editor.deviceId}
        onClose={() => onLeave(`/presets/${made}`)}
      />
    )
  }
  const close = () => (made === undefined ? onClose() : onLeave(`/presets/${made}`))
  return (
    <Dialog size="lg" onClose={close} title={t('presets.saveTitle', { name: editor.draft.name })}>
      <div className={classes.stack}>
        <Summary editor={editor} saving={saving} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t(made === undefined ? 'ui.cancel' : 'ui.close')}
          </Button>
          {made === undefined && (
            <Button disabled={!saving.ready} loading={saving.pending} onClick={saving.save}>
              {t('presets.saveNow')}
            </Button>
          )}
          {made !== undefined && mayAssign && (
            <Button onClick={() => setAssigning(true)}>{t('presets.assign')}</Button>
          )}
        </Group>
      </div>
    </Dialog>
  )
}

type Saving = ReturnType<typeof useSaving>

function Summary({ editor, saving }: { editor: Editor; saving: Saving }) {
  const t = useWords()
  const errorText = useErrorText()
  const { trial, job, made, error, failure, fast, wrong } = saving
  if (made !== undefined) return <p role="status">{t('presets.saved')}</p>
  if (job) return <JobProgress job={{ ...job, service: 'mappings' }} />
  return (
    <>
      {trial.isPending && <RowsSkeleton rows={4} />}
      {trial.error && <TrialFailed onRetry={() => void trial.refetch()} />}
      {trial.data && <TrialSummary trial={trial.data} isNew={!editor.preset} rows={editor.rows} />}
      <FastNote found={fast} />
      {wrong.length > 0 && (
        <p className={classes.warn} role="alert">
          {t('presets.timeWrong', { count: wrong.length, paths: wrong.join(', ') })}
        </p>
      )}
      {error !== null && <ErrorPanel {...errorText(error)} />}
      {failure !== undefined && <ErrorPanel message={failure} />}
    </>
  )
}

/** A trial that could not be run says so, and saving goes on without it. */
function TrialFailed({ onRetry }: { onRetry: () => void }) {
  const t = useWords()
  return (
    <p className={classes.dim} role="status">
      {t('presets.trialFailed')}{' '}
      <Anchor component="button" type="button" onClick={onRetry}>
        {t('ui.retry')}
      </Anchor>
    </p>
  )
}

function useSaving(editor: Editor) {
  const here = useHere()
  const { preset, draft, deviceId, samples, values, stored, fast } = editor
  const body = { data: { ...draft.data }, presetId: preset?.id, deviceId, samples }
  const trial = useQuery(query(api.platform.dryRun, { query: here, body }))
  const nameOf = valueNames(editor.rows)
  const wrong = wrongTimes({ values, data: draft.data, stored })
    .filter((one) => !one.stored)
    .map(({ path }) => nameOf(path).name)
  const refused = (trial.data?.issues.length ?? 0) > 0 || fast.some((one) => !one.stored)
  const update = useUpdate(editor)
  const creation = useCreation(editor)
  return {
    trial,
    fast,
    wrong,
    job: creation.job,
    failure: creation.failure,
    made: creation.presetId ?? update.data?.value.id,
    error: update.error ?? creation.error,
    pending: update.isPending || creation.pending,
    ready: !trial.isPending && !refused && wrong.length === 0,
    save: () => (preset ? update.mutate(preset) : creation.create()),
  }
}

const contentOf = ({ draft }: Editor) => ({ name: draft.name.trim(), data: { ...draft.data } })

function useUpdate(editor: Editor) {
  const t = useWords()
  const toast = useToast()
  const here = useHere()
  return useMutation({
    mutationFn: ({ id, updatedAt }: Preset) =>
      api.mappings.updatePreset({
        params: { id },
        query: here,
        body: { ...contentOf(editor), unchangedSince: updatedAt },
      }),
    onSuccess: async ({ value }) => {
      editor.markSaved(value)
      toast({ message: t('presets.savedToast', { name: value.name }) })
      await presetsChanged()
    },
  })
}

/** A new preset is made as a job, whose progress is shown. */
function useCreation(editor: Editor) {
  const here = useHere()
  const create = useMutation({
    mutationFn: () => api.mappings.createPresetAsync({ query: here, body: contentOf(editor) }),
    onSuccess: () => watchJob('mappings'),
  })
  const { data: job } = useJob('mappings', create.data?.id)
  const serverText = useServerText()
  const { presetId } = (job?.result ?? {}) as { presetId?: string } // the answer of this kind of job
  const done = useEffectEvent(() => {
    editor.markSaved()
    void presetsChanged()
  })
  useEffect(() => {
    if (presetId !== undefined) done()
  }, [presetId])
  const failed = job?.state === 'ERROR'
  return {
    presetId,
    job: failed ? undefined : job,
    /** Why the preset could not be made. */
    failure: failed ? serverText({ code: job.errorCode ?? '' }) : undefined,
    error: create.error,
    pending: create.isPending || job?.state === 'PROCESSING',
    create: create.mutate,
  }
}
