import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { severitiesOf, severityNames, type SeverityName } from '../../parts/alarms/severity.ts'
import { query, stale } from '../../parts/api/api.ts'
import { notificationsApi, type Preferences } from '../../parts/notifications/notification-calls.ts'
import { useSession } from '../../parts/session/session.ts'
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

/** The person gets a mail at a severity, unless they chose otherwise. */
const isMailed = ({ bySeverity }: Preferences, name: SeverityName) =>
  bySeverity[String(severitiesOf[name][0])]?.includes('mail') ?? true

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
  const setMailed = (name: SeverityName, mailed: boolean) => {
    const channels: ('inbox' | 'mail')[] = mailed ? ['inbox', 'mail'] : ['inbox']
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
      <Fieldset legend={t('notifications.mailFor')}>
        <Stack gap={10}>
          {severityNames.map((name) => (
            <Checkbox
              key={name}
              label={t(`alarm.severity.${name}`)}
              checked={isMailed(draft, name)}
              onChange={(event) => setMailed(name, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Fieldset>
      <QuietFields quiet={draft.quiet} onChange={(quiet) => setDraft({ ...draft, quiet })} />
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

/** Hours in which only critical messages come by mail. */
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
      )}
    </>
  )
}
