import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { Tag } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Channel, notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useChannels, useOwnOrganization } from './admin-calls.ts'
import { AdminList, nameColumn, NewButton, RowButton } from './AdminList.tsx'

const ChannelDialog = late(() => import('./ChannelDialog.tsx'), 'ChannelDialog')

/** Channels of the organization: webhooks, chats and phones. */
export function ChannelsTab() {
  const t = useWords()
  const list = useChannels()
  const [opened, setOpened] = useState<Channel | 'new'>()
  return (
    <>
      <AdminList
        tab="channels"
        name="notification-channels"
        columns={useChannelColumns()}
        rows={list.data?.data ?? []}
        rowId={({ id }) => id}
        total={list.data?.data.length}
        onOpen={setOpened}
        list={list}
        actions={
          <NewButton
            permission="notifications:update"
            text={t('notifications-admin.newChannel')}
            onClick={() => setOpened('new')}
          />
        }
        none={{
          title: t('notifications-admin.noChannels'),
          text: t('notifications-admin.noChannelsText'),
        }}
      />
      {opened && (
        <ChannelDialog
          {...(opened !== 'new' && { channel: opened })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

function useChannelColumns(): Column<Channel>[] {
  const t = useWords()
  return useMemo(
    () => [
      nameColumn(t('notifications-admin.name')),
      {
        id: 'type',
        label: t('notifications-admin.type'),
        width: 130,
        card: 'detail' as const,
        value: ({ type }) => type,
        cell: ({ type }) => t(`notifications-admin.channel.${type}`),
      },
      {
        id: 'state',
        label: t('notifications-admin.state'),
        width: 150,
        card: 'state' as const,
        cell: ({ enabled, isRetiring }) => (
          <Tag tone={isRetiring ? 'warning' : enabled ? 'ok' : 'off'}>
            {isRetiring
              ? t('notifications-admin.retiring')
              : enabled
                ? t('notifications-admin.on')
                : t('notifications-admin.off')}
          </Tag>
        ),
      },
      {
        id: 'test',
        label: t('notifications-admin.test'),
        width: 130,
        card: 'detail' as const,
        cell: (channel) => <TestButton channel={channel} />,
      },
    ],
    [t],
  )
}

function TestButton({ channel: { id, name } }: { channel: Channel }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const test = useMutation({
    mutationFn: () => notificationsApi.testChannel({ params: { id }, query, body: {} }),
    onSuccess: ({ ok, answer }) =>
      toast(
        ok
          ? { kind: 'done', message: t('notifications-admin.testSent', { name }) }
          : {
              kind: 'failed',
              message: t('notifications-admin.testFailed', { answer: answer.slice(0, 200) }),
            },
      ),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <RowButton
      text={t('notifications-admin.test')}
      pending={test.isPending}
      onClick={() => test.mutate()}
    />
  )
}
