import { ActionButton } from '@longreach/ui/ActionButton'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stale } from '../../parts/api/api.ts'
import { knownZones } from '../../parts/look/time-zone.ts'
import { notificationsApi, type Schedule } from '../../parts/notifications/notification-calls.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { useMayNot, useOwnOrganization } from './admin-calls.ts'
import { LayerFields } from './LayerFields.tsx'
import classes from './on-call.module.css'
import { OverrideFields } from './OverrideFields.tsx'
import { RemovalDialog } from './RemovalDialog.tsx'
import { newSchedule, toScheduleBody, toScheduleDraft } from './schedule-draft.ts'

type Props = {
  /** Absent: a new one. */
  schedule?: Schedule
  onClose: () => void
}

/** Form of an on-call schedule. */
export function ScheduleDialog({ schedule, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const [draft, setDraft] = useState(() => (schedule ? toScheduleDraft(schedule) : newSchedule()))
  const [isDeleting, setDeleting] = useState(false)
  const reason = useMayNot('notifications:update')
  const save = useMutation({
    mutationFn: () => {
      const body = toScheduleBody(draft)
      return schedule
        ? notificationsApi.replaceSchedule({ params: { id: schedule.id }, query, body })
        : notificationsApi.createSchedule({ query, body })
    },
    onSuccess: async () => {
      await Promise.all([stale(notificationsApi.schedules), stale(notificationsApi.onCallNow)])
      onClose()
    },
  })
  const { at, below } = besideForm(save.error ? errorText(save.error) : undefined, ['name'])
  const faultOf = (place: string) =>
    Object.entries(at).find(([field]) => field.startsWith(place))?.[1]
  if (schedule && isDeleting) return <DeleteSchedule {...{ schedule, onClose }} />
  return (
    <FormDialog
      size="lg"
      title={schedule?.name ?? t('on-call.newSchedule')}
      verb={t('notifications-admin.save')}
      pending={save.isPending}
      error={reason ? t(reason) : below}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <div className={classes.pair}>
        <TextInput
          data-autofocus
          required
          label={t('notifications-admin.name')}
          value={draft.name}
          maxLength={200}
          error={at['name']}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <Select
          label={t('on-call.zone')}
          searchable
          limit={100}
          allowDeselect={false}
          data={knownZones()}
          value={draft.zone}
          onChange={(zone) => setDraft({ ...draft, zone: zone ?? 'UTC' })}
        />
      </div>
      <LayerFields
        layers={draft.layers}
        faultOf={(layer) => faultOf(`layers.${layer}.`)}
        onChange={(layers) => setDraft({ ...draft, layers })}
      />
      <OverrideFields
        overrides={draft.overrides}
        faultOf={(place) => faultOf(`overrides.${place}.`)}
        onChange={(overrides) => setDraft({ ...draft, overrides })}
      />
      {schedule && (
        <ActionButton
          variant="default"
          className={classes.add}
          reason={reason && t(reason)}
          onClick={() => setDeleting(true)}
        >
          {t('notifications-admin.delete')}
        </ActionButton>
      )}
    </FormDialog>
  )
}

function DeleteSchedule({
  schedule: { id, name },
  onClose,
}: Required<Pick<Props, 'schedule'>> & Pick<Props, 'onClose'>) {
  const t = useWords()
  const query = useOwnOrganization()
  return (
    <RemovalDialog
      name={name}
      text={t('on-call.deleteScheduleText')}
      remove={async () => {
        await notificationsApi.deleteSchedule({ params: { id }, query })
        await stale(notificationsApi.schedules)
      }}
      onClose={onClose}
    />
  )
}
