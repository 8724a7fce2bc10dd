import { ActionButton } from '@longreach/ui/ActionButton'
import { FormDialog } from '@longreach/ui/FormDialog'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Select, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stale } from '../../parts/api/api.ts'
import { notificationsApi } from '../../parts/notifications/notification-calls.ts'
import type { Pulse } from '../../parts/notifications/pulse-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMayNot, useOwnOrganization } from './admin-calls.ts'
import classes from './pulse.module.css'
import { RemovalDialog } from './RemovalDialog.tsx'

type Watcher = NonNullable<Pulse['watcher']>
type Props = { watcher: Watcher | null; onClose: () => void }

const methods = ['GET', 'POST'] as const

/** Form of the program outside that is called at each beat, with a test and its newest answer. */
export function WatcherDialog({ watcher, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const reason = useMayNot('notifications:update')
  const [url, setUrl] = useState('')
  const [method, setMethod] = useState<Watcher['method']>(watcher?.method ?? 'GET')
  const [isDeleting, setDeleting] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const address = url.trim() === '' ? {} : { url: url.trim() }
      return notificationsApi.setPulseWatcher({ query, body: { method, ...address } })
    },
    onSuccess: async () => {
      await stale(notificationsApi.pulse)
      onClose()
    },
  })
  if (watcher && isDeleting) return <DeleteWatcher watcher={watcher} onClose={onClose} />
  return (
    <FormDialog
      title={t('pulse.watcher')}
      verb={t('pulse.save')}
      pending={save.isPending}
      error={reason ? t(reason) : save.error ? errorText(save.error).message : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('pulse.watcherHelp')}</Text>
      <TextInput
        data-autofocus
        type="url"
        required={watcher === null}
        label={t('pulse.url')}
        description={watcher ? t('pulse.kept', { host: watcher.host }) : t('pulse.urlHelp')}
        autoComplete="off"
        maxLength={2_000}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Select
        label={t('pulse.method')}
        value={method}
        data={[...methods]}
        onChange={(chosen) => setMethod(methods.find((one) => one === chosen) ?? 'GET')}
        allowDeselect={false}
      />
      {watcher && <NewestAnswer watcher={watcher} />}
      {watcher && (
        <div className={classes.buttons}>
          <WatcherTest />
          <ActionButton
            variant="default"
            reason={reason && t(reason)}
            onClick={() => setDeleting(true)}
          >
            {t('pulse.remove')}
          </ActionButton>
        </div>
      )}
    </FormDialog>
  )
}

function NewestAnswer({ watcher: { ok, answer, calledAt } }: { watcher: Watcher }) {
  const t = useWords()
  if (calledAt === null) return <Text size="sm">{t('pulse.notCalled')}</Text>
  return (
    <div className={classes.answer}>
      <StatusDot tone={ok === true ? 'ok' : 'alarm'}>
        {t('pulse.lastAnswer')} <RelativeTime at={calledAt} />
      </StatusDot>
      <code>{answer === '' ? '–' : answer}</code>
    </div>
  )
}

/** Calls the watcher that is kept, and shows its answer beside the button. */
function WatcherTest() {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const reason = useMayNot('notifications:update')
  const test = useMutation({
    mutationFn: () => notificationsApi.testPulseWatcher({ query, body: {} }),
  })
  const { data, error } = test
  return (
    <>
      <ActionButton
        variant="default"
        reason={reason && t(reason)}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('pulse.test')}
      </ActionButton>
      <span role="status" className={classes.tested}>
        {data && (
          <StatusDot tone={data.ok ? 'ok' : 'alarm'}>
            {t(data.ok ? 'pulse.testOk' : 'pulse.testFailed', {
              answer: data.answer.slice(0, 200),
              ms: data.ms,
            })}
          </StatusDot>
        )}
        {error && <StatusDot tone="alarm">{errorText(error).message}</StatusDot>}
      </span>
    </>
  )
}

function DeleteWatcher({ watcher: { host }, onClose }: { watcher: Watcher; onClose: () => void }) {
  const t = useWords()
  const query = useOwnOrganization()
  return (
    <RemovalDialog
      name={host}
      text={t('pulse.removeText')}
      remove={async () => {
        await notificationsApi.deletePulseWatcher({ query })
        await stale(notificationsApi.pulse)
      }}
      onClose={onClose}
    />
  )
}
