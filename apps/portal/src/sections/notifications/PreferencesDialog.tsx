import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import { Checkbox, Fieldset, Group, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { severitiesOf, severityNames, type SeverityName } from '../../parts/alarms/severity.ts'
import { query, stale } from '../../parts/api/api.ts'
import { notificationsApi, type Preferences } from '../../parts/notifications/notification-calls.ts'
import { useSession } from '../../parts/session/session.ts'
import { knownZones, usualZone } from '../../parts/look/time-zone.ts'
import { PushFields } from './PushFields.tsx'
import { useErrorText } from '../../parts/words/error-text.ts'

/** Channels, quiet hours and language of the person's messages. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const organization = useSession().organization.resourceId
  const kept = useQuery(query(notificationsApi.preferences, { query: { organization } }))
  return kept.data ? <PreferencesForm kept={kept.data} onClose={onClose} /> : null
}

const names: Record<string, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
}
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type Told = 'mail' | 'push'

/** The person is told over a channel at a severity, unless they chose otherwise. */
const isTold = ({ bySeverity }: Preferences, name: SeverityName, channel: Told) =>
  bySeverity[String(severitiesOf[name][0])]?.includes(channel) ?? true

function PreferencesForm({ kept, onClose }: { kept: Preferences; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const [draft, setDraft] = useState(kept)
  const save = useMutation({
    mutationFn: () => notificationsApi.setPreferences({ query: { organization }, body: draft }),
    onSuccess: async () => {
      await stale(notificationsApi.preferences)
      onClose()
    },
  })
  const setTold = (name: SeverityName, channel: Told, isOn: boolean) => {
    const others = (['mail', 'push'] as const).filter(
      (one) => one !== channel && isTold(draft, name, one),
    )
    const channels = ['inbox' as const, ...others, ...(isOn ? [channel] : [])]
    const changed = Object.fromEntries(severitiesOf[name].map((one) => [String(one), channels]))
    setDraft({ ...draft, bySeverity: { ...draft.bySeverity, ...changed } })
  }
  return (
    <FormDialog
      title={t('notifications.preferences')}
      verb={t('notifications.save')}
      pending={save.isPending}
      error={save.error ? errorText(save.error).message : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {(['mail', 'push'] as const).map((channel) => (
        <Fieldset
          key={channel}
          legend={channel === 'mail' ? t('notifications.mailFor') : t('push.browserMessages')}
        >
          <Group gap="md">
            {severityNames.map((name) => (
              <Checkbox
                key={name}
                label={t(`alarm.severity.${name}`)}
                checked={isTold(draft, name, channel)}
                onChange={(event) => setTold(name, channel, event.currentTarget.checked)}
              />
            ))}
          </Group>
        </Fieldset>
      ))}
      <PushFields />
      <QuietFields quiet={draft.quiet} onChange={(quiet) => setDraft({ ...draft, quiet })} />
      <PauseField
        until={draft.pausedUntil}
        onChange={(pausedUntil) => setDraft({ ...draft, pausedUntil })}
      />
      <Select
        label={t('notifications.language')}
        value={draft.language ?? ''}
        data={[
          { value: '', label: t('notifications.languageOfPortal') },
          ...Object.entries(names).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(language) =>
          setDraft({
            ...draft,
            language: language === '' ? null : (language as Preferences['language']),
          })
        }
        allowDeselect={false}
      />
    </FormDialog>
  )
}

type Quiet = Preferences['quiet']
type QuietProps = { quiet: Quiet; onChange: (quiet: Quiet) => void }

type PauseProps = { until: number | null; onChange: (until: number | null) => void }

/** Time until which messages only stand in the list. */
function PauseField({ until, onChange }: PauseProps) {
  const t = useWords()
  const zone = usualZone()
  return (
    <TextInput
      type="datetime-local"
      label={t('push.pausedUntil')}
      description={t('push.pausedHelp')}
      value={until === null ? '' : fieldText(until, zone)}
      onChange={(event) => onChange(instantOfField(event.currentTarget.value, zone) ?? null)}
    />
  )
}

/** Hours in which only messages from a severity on come by mail and in browsers. */
function QuietFields({ quiet, onChange }: QuietProps) {
  const t = useWords()
  const setQuiet = (part: Partial<NonNullable<Quiet>>) =>
    onChange({ from: '22:00', to: '06:00', zone: ownZone(), through: 6, ...quiet, ...part })
  return (
    <>
      <Checkbox
        label={t('notifications.quiet')}
        description={t('notifications.quietHelp')}
        checked={quiet !== null}
        onChange={(event) => (event.currentTarget.checked ? setQuiet({}) : onChange(null))}
      />
      {quiet && (
        <>
          <Group grow>
            <TextInput
              type="time"
              label={t('notifications.from')}
              value={quiet.from}
              onChange={(event) => setQuiet({ from: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('notifications.to')}
              value={quiet.to}
              onChange={(event) => setQuiet({ to: event.currentTarget.value })}
            />
          </Group>
          <Group grow align="start">
            <Select
              label={t('push.through')}
              allowDeselect={false}
              data={[
                { value: '7', label: t('push.nothing') },
                ...severityNames.map((name) => ({
                  value: String(Math.min(...severitiesOf[name])),
                  label: t(`alarm.severity.${name}`),
                })),
              ]}
              value={String(quiet.through)}
              onChange={(through) => setQuiet({ through: Number(through ?? 6) })}
            />
            <Select
              label={t('push.zone')}
              searchable
              limit={100}
              allowDeselect={false}
              data={knownZones()}
              value={quiet.zone}
              onChange={(zone) => setQuiet({ zone: zone ?? 'UTC' })}
            />
          </Group>
        </>
      )}
    </>
  )
}
