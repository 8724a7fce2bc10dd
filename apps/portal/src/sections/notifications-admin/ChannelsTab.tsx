import { ActionButton } from '@longreach/ui/ActionButton'
import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { Tag } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Channel, notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useChannels, useMayNot, useOwnOrganization } from './admin-calls.ts'
import { AdminTabs } from './AdminTabs.tsx'

const ChannelDialog = late(() => import('./ChannelDialog.tsx'), 'ChannelDialog')

/** Channels of the organization: webhooks, chats and phones. */
export function ChannelsTab() {
  const t = useWords()
  const list = useChannels()
  const reason = useMayNot('notifications:update')
  const [opened, setOpened] = useState<Channel | 'new'>()
  return (
    <>
      <ListPage
        title={t('shell.section.notifications-admin')}
        help={t('notifications-admin.help')}
        label={t('notifications-admin.tab.channels')}
        above={<AdminTabs chosen="channels" />}
        name="notification-channels"
        columns={useChannelColumns()}
        rows={list.data?.data ?? []}
        rowId={({ id }) => id}
        total={list.data?.data.length}
        onOpen={setOpened}
        list={list}
        actions={
          <ActionButton
            reason={reason && t(reason)}
            leftSection={<IconPlus size={16} />}
            onClick={() => setOpened('new')}
          >
            {t('notifications-admin.newChannel')}
          </ActionButton>
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
      {
        id: 'name',
        label: t('notifications-admin.name'),
        width: 220,
        grow: 3,
        fixed: true,
        card: 'title' as const,
        value: ({ name }) => name,
        cell: ({ name }) => name,
      },
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
  const reason = useMayNot('notifications:update')
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
    <ActionButton
      size="compact-xs"
      variant="default"
      reason={reason && t(reason)}
      loading={test.isPending}
      onClick={() => test.mutate()}
    >
      {t('notifications-admin.test')}
    </ActionButton>
  )
}
