import { ActionButton } from '@longreach/ui/ActionButton'
import { CopyBlock } from '@longreach/ui/CopyBlock'
import { formatTime } from '@longreach/ui/format'
import { late } from '@longreach/ui/late'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { stale } from '../../parts/api/api.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { notificationsApi, type Schedule } from '../../parts/notifications/notification-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMayNot, useOnCall, useOwnOrganization } from './admin-calls.ts'
import classes from './on-call.module.css'
import { ScheduleCalendar } from './ScheduleCalendar.tsx'

const ScheduleDialog = late(() => import('./ScheduleDialog.tsx'), 'ScheduleDialog')

type Props = { schedule: Schedule; onClose: () => void }

const hourMs = 3_600_000
/** Hours for which somebody takes over in one click. */
const takeOverHours = [1, 8]

/** Schedule beside the list: who is on call, taking over, four weeks, the note, and the calendar's address. */
export function SchedulePanel({ schedule, onClose }: Props) {
  const t = useWords()
  const onCall = useOnCall(schedule.id).data
  const [isEditing, setEditing] = useState(false)
  const reason = useMayNot('notifications:update')
  const gaps = onCall?.turns.filter(({ person }) => person === null).length ?? 0
  const until = onCall?.until ?? null
  return (
    <SidePanel
      title={schedule.name}
      facts={onCall && <OnCallFacts person={onCall.person} until={until} zone={schedule.zone} />}
      actions={
        <ActionButton
          variant="default"
          reason={reason && t(reason)}
          onClick={() => setEditing(true)}
        >
          {t('on-call.edit')}
        </ActionButton>
      }
      onClose={onClose}
    >
      <TakeOver schedule={schedule} until={until} />
      <PanelSection
        title={t('on-call.weeks')}
        beside={
          onCall && (
            <span className={gaps > 0 ? classes.gap : undefined}>
              {t('on-call.gaps', { count: gaps })}
            </span>
          )
        }
      >
        {onCall && <ScheduleCalendar turns={onCall.turns} zone={schedule.zone} />}
      </PanelSection>
      <NoteSection schedule={schedule} />
      <CalendarSection schedule={schedule} />
      {isEditing && <ScheduleDialog schedule={schedule} onClose={() => setEditing(false)} />}
    </SidePanel>
  )
}

type FactsProps = { person: string | null; until: number | null; zone: string }

function OnCallFacts({ person, until, zone }: FactsProps) {
  const t = useWords()
  const { locale } = useIntl()
  return (
    <>
      <StatusDot tone={person === null ? 'alarm' : 'ok'}>{person ?? t('on-call.nobody')}</StatusDot>
      <span>
        {until === null
          ? t('on-call.always')
          : `${t('on-call.until')} ${formatTime(new Date(until), locale, usualZone())}`}
      </span>
      <span>{zone}</span>
    </>
  )
}

const renew = () =>
  Promise.all([stale(notificationsApi.schedules), stale(notificationsApi.onCallNow)])

/** Buttons by which the person stands in, for some hours or until the next hand-over. */
function TakeOver({ schedule: { id, name }, until }: { schedule: Schedule; until: number | null }) {
  const t = useWords()
  const { locale } = useIntl()
  const toast = useToast()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  const takeOver = useMutation({
    mutationFn: (to: number) =>
      notificationsApi.addOverride({ params: { id }, query, body: { to } }),
    onSuccess: async (_, to) => {
      toast({ kind: 'done', message: t('on-call.takenOver', { name, time: time(to) }) })
      await renew()
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <PanelSection title={t('on-call.takeOver')}>
      <div className={classes.buttons}>
        {takeOverHours.map((hours) => (
          <Button
            key={hours}
            size="compact-sm"
            variant="default"
            loading={takeOver.isPending}
            onClick={() => takeOver.mutate(Date.now() + hours * hourMs)}
          >
            {t('on-call.takeOver.hours', { hours })}
          </Button>
        ))}
        {until !== null && (
          <Button
            size="compact-sm"
            variant="default"
            loading={takeOver.isPending}
            onClick={() => takeOver.mutate(until)}
          >
            {t('on-call.takeOver.turn', { time: time(until) })}
          </Button>
        )}
      </div>
    </PanelSection>
  )
}

function NoteSection({ schedule: { id, note } }: Pick<Props, 'schedule'>) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const [text, setText] = useState(note?.text ?? '')
  const save = useMutation({
    mutationFn: () => notificationsApi.setNote({ params: { id }, query, body: { text } }),
    onSuccess: () => stale(notificationsApi.schedules),
  })
  return (
    <PanelSection title={t('on-call.note')}>
      <div className={classes.note}>
        <Textarea
          aria-label={t('on-call.note')}
          description={t('on-call.noteHelp')}
          autosize
          minRows={2}
          maxLength={2_000}
          value={text}
          error={save.error ? errorText(save.error).message : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button
          size="compact-sm"
          variant="default"
          disabled={text === (note?.text ?? '')}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('on-call.saveNote')}
        </Button>
      </div>
    </PanelSection>
  )
}

/** Secret address for calendar programs: made, shown once, replaced, revoked. */
function CalendarSection({ schedule: { id, hasCalendar } }: Pick<Props, 'schedule'>) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const reason = useMayNot('notifications:update')
  const make = useMutation({
    mutationFn: () => notificationsApi.makeCalendar({ params: { id }, query, body: {} }),
    onSuccess: () => stale(notificationsApi.schedules),
  })
  const revoke = useMutation({
    mutationFn: () => notificationsApi.revokeCalendar({ params: { id }, query }),
    onSuccess: async () => {
      make.reset()
      await stale(notificationsApi.schedules)
    },
  })
  const error = make.error ?? revoke.error
  return (
    <PanelSection title={t('on-call.calendar')}>
      <div className={classes.note}>
        <Text size="sm">{t('on-call.calendarHelp')}</Text>
        {make.data && (
          <>
            <CopyBlock text={make.data.url} label={t('on-call.calendar')} />
            <Text size="sm">{t('on-call.calendarOnce')}</Text>
          </>
        )}
        {error && (
          <Text size="sm" c="red">
            {errorText(error).message}
          </Text>
        )}
        <div className={classes.buttons}>
          <ActionButton
            size="compact-sm"
            variant="default"
            reason={reason && t(reason)}
            loading={make.isPending}
            onClick={() => make.mutate()}
          >
            {hasCalendar ? t('on-call.renewCalendar') : t('on-call.makeCalendar')}
          </ActionButton>
          {hasCalendar && (
            <ActionButton
              size="compact-sm"
              variant="default"
              reason={reason && t(reason)}
              loading={revoke.isPending}
              onClick={() => revoke.mutate()}
            >
              {t('on-call.revokeCalendar')}
            </ActionButton>
          )}
        </div>
      </div>
    </PanelSection>
  )
}
