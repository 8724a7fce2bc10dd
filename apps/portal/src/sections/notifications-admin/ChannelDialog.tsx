import { ActionButton } from '@longreach/ui/ActionButton'
import { CopyBlock } from '@longreach/ui/CopyBlock'
import { Dialog } from '@longreach/ui/Dialog'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import { PasswordInput, Select, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { stale } from '../../parts/api/api.ts'
import { type Channel, notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMayNot, useOwnOrganization } from './admin-calls.ts'
import {
  type ChannelDraft,
  channelTypes,
  newChannelDraft,
  toChannelBody,
  toChannelDraft,
} from './channel-draft.ts'
import { RemovalDialog } from './RemovalDialog.tsx'

type Props = {
  /** Absent: a new one. */
  channel?: Channel
  onClose: () => void
}

/** Form of a channel; the secret of a new webhook is shown once. */
export function ChannelDialog({ channel, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const [draft, setDraft] = useState(channel ? toChannelDraft(channel) : newChannelDraft)
  const [isDeleting, setDeleting] = useState(false)
  const reason = useMayNot('notifications:update')
  const save = useMutation({
    mutationFn: async (): Promise<{ newSecret?: string | undefined }> => {
      const body = toChannelBody(draft, channel?.language ?? 'en')
      if (!channel) return notificationsApi.createChannel({ query, body })
      await notificationsApi.replaceChannel({ params: { id: channel.id }, query, body })
      return {}
    },
    onSuccess: async ({ newSecret }) => {
      await stale(notificationsApi.channels)
      if (newSecret === undefined) onClose()
    },
  })
  const newSecret = save.data?.newSecret
  if (newSecret !== undefined) return <SecretShown secret={newSecret} onClose={onClose} />
  if (channel && isDeleting) return <DeleteChannel channel={channel} onClose={onClose} />
  const failure = save.error ? errorText(save.error) : undefined
  return (
    <FormDialog
      size="lg"
      title={channel ? channel.name : t('notifications-admin.newChannel')}
      verb={t('notifications-admin.save')}
      pending={save.isPending}
      error={reason ? t(reason) : failure?.message}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <ChannelFields
        draft={draft}
        isNew={channel === undefined}
        set={(part) => setDraft({ ...draft, ...part })}
      />
      {channel && (
        <ActionButton
          variant="default"
          style={{ justifySelf: 'start' }}
          reason={reason && t(reason)}
          onClick={() => setDeleting(true)}
        >
          {t('notifications-admin.delete')}
        </ActionButton>
      )}
    </FormDialog>
  )
}

type FieldsProps = {
  draft: ChannelDraft
  isNew: boolean
  set: (part: Partial<ChannelDraft>) => void
}

function ChannelFields({ draft, isNew, set }: FieldsProps) {
  const t = useWords()
  return (
    <>
      <TextInput
        data-autofocus
        required
        label={t('notifications-admin.name')}
        value={draft.name}
        maxLength={200}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label={t('notifications-admin.type')}
        value={draft.type}
        disabled={!isNew}
        data={channelTypes.map((value) => ({
          value,
          label: t(`notifications-admin.channel.${value}`),
        }))}
        onChange={(type) => set({ type: channelTypes.find((one) => one === type) ?? 'webhook' })}
        allowDeselect={false}
      />
      <TypeFields draft={draft} isNew={isNew} set={set} />
      <Textarea
        label={t('notifications-admin.template')}
        description={t('notifications-admin.templateHelp')}
        value={draft.template}
        autosize
        minRows={2}
        maxRows={10}
        onChange={(event) => set({ template: event.currentTarget.value })}
      />
      <Switch
        label={t('notifications-admin.enabled')}
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </>
  )
}

/** Fields that each type of channel has; of some the address is a secret. */
const fieldsOfType = {
  webhook: ['url', 'secret'],
  telegram: ['chatId', 'server', 'secret'],
  teams: ['secretUrl'],
  slack: ['secretUrl'],
  ntfy: ['topic', 'server', 'secret'],
} as const

function TypeFields({ draft, isNew, set }: FieldsProps) {
  const t = useWords()
  const kept = isNew ? undefined : t('notifications-admin.keptSecret')
  return fieldsOfType[draft.type].map((field) => {
    if (field === 'secret') {
      return (
        <PasswordInput
          key={field}
          label={t('notifications-admin.secret')}
          description={kept}
          autoComplete="off"
          value={draft.secret}
          onChange={(event) => set({ secret: event.currentTarget.value })}
        />
      )
    }
    const name = field === 'secretUrl' ? 'url' : field
    return (
      <TextInput
        key={field}
        label={t(`notifications-admin.${name}`)}
        description={
          field === 'secretUrl'
            ? kept
            : field === 'server'
              ? t('notifications-admin.serverHelp')
              : undefined
        }
        required={field !== 'server' && (isNew || field !== 'secretUrl')}
        value={draft[name]}
        onChange={(event) => set({ [name]: event.currentTarget.value })}
      />
    )
  })
}

function SecretShown({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useWords()
  return (
    <Dialog
      title={t('notifications-admin.newSecret')}
      onClose={onClose}
      closeOnClickOutside={false}
    >
      <Text mb="sm">{t('notifications-admin.newSecretText')}</Text>
      <CopyBlock label={t('notifications-admin.secret')} text={secret} />
    </Dialog>
  )
}

function DeleteChannel({
  channel: { id, name },
  onClose,
}: {
  channel: Channel
  onClose: () => void
}) {
  const t = useWords()
  const query = useOwnOrganization()
  return (
    <RemovalDialog
      name={name}
      text={t('notifications-admin.deleteChannelText')}
      remove={async () => {
        await notificationsApi.deleteChannel({ params: { id }, query })
        await stale(notificationsApi.channels)
      }}
      onClose={onClose}
    />
  )
}
