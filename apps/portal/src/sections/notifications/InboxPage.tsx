import { ActionButton } from '@longreach/ui/ActionButton'
import type { Column } from '@longreach/ui/DataTable'
import { late } from '@longreach/ui/late'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { SeverityMark } from '../../parts/alarms/SeverityMark.tsx'
import { queries } from '../../parts/api/queries.ts'
import type { InboxMessage } from '../../parts/notifications/notification-calls.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import type { Asked } from '../../parts/pages/section.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useSession } from '../../parts/session/session.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import { inboxQuery, useMarkRead } from './inbox-calls.ts'

const MessageDialog = late(() => import('./MessageDialog.tsx'), 'MessageDialog')
const PreferencesDialog = late(
  () => withWords(import('./PreferencesDialog.tsx'), 'push'),
  'PreferencesDialog',
)

export const loader = ({ org, search }: Asked) =>
  void queries.prefetchInfiniteQuery(inboxQuery(org, one(search['unread']) === 'true'))

/** Messages of the person, and their preferences. */
export function Component() {
  const t = useWords()
  const org = useSession().organization.resourceId
  const [search, change] = useSearch()
  const unreadOnly = one(search['unread']) === 'true'
  const list = useInfiniteQuery(inboxQuery(org, unreadOnly))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const unread = list.data?.pages[0]?.unread ?? 0
  const opened = rows.find(({ id }) => id === one(search['message']))
  const markRead = useMarkRead()
  const open = (message: InboxMessage) => {
    void change({ message: message.id })
    if (!message.isRead) void markRead([message.id])
  }
  return (
    <ListPage
      title={t('shell.section.notifications')}
      help={t('notifications.help')}
      count={list.data && t('notifications.unreadCount', { count: unread })}
      actions={<InboxActions unread={unread} />}
      name="notifications"
      columns={useInboxColumns()}
      rows={rows}
      rowId={({ id }) => id}
      onOpen={open}
      list={list}
      toolbar={
        <SegmentedControl
          size="xs"
          aria-label={t('notifications.shown')}
          value={unreadOnly ? 'true' : ''}
          onChange={(value) => void change({ unread: value })}
          data={[
            { value: '', label: t('notifications.all') },
            { value: 'true', label: t('notifications.unread') },
          ]}
        />
      }
      none={{ title: t('notifications.none'), text: t('notifications.noneText') }}
      filtered={
        unreadOnly
          ? {
              title: t('notifications.noneUnread'),
              clear: t('notifications.showAll'),
              onClear: () => void change({ unread: undefined }),
            }
          : undefined
      }
    >
      {opened && (
        <MessageDialog message={opened} onClose={() => void change({ message: undefined })} />
      )}
    </ListPage>
  )
}

function InboxActions({ unread }: { unread: number }) {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  const markRead = useMarkRead()
  const all = useMutation({ mutationFn: () => markRead() })
  return (
    <>
      <ActionButton
        variant="default"
        reason={unread === 0 ? t('notifications.nothingUnread') : undefined}
        loading={all.isPending}
        onClick={() => all.mutate()}
      >
        {t('notifications.readAll')}
      </ActionButton>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        onClick={() => setOpen(true)}
      >
        {t('notifications.preferences')}
      </Button>
      {isOpen && <PreferencesDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function useInboxColumns(): Column<InboxMessage>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'subject',
        label: t('notifications.subject'),
        width: 320,
        grow: 4,
        fixed: true,
        card: 'title' as const,
        value: ({ subject }) => subject,
        cell: ({ subject, isRead }) => (
          <span style={{ fontWeight: isRead ? 400 : 650 }}>{subject}</span>
        ),
      },
      {
        id: 'severity',
        label: t('notifications.severity'),
        width: 130,
        card: 'state' as const,
        value: ({ severity }) => severity,
        cell: ({ severity }) => <SeverityMark severity={severity} />,
      },
      {
        id: 'state',
        label: t('notifications.state'),
        width: 110,
        card: 'detail' as const,
        cell: ({ isRead }) => (isRead ? t('notifications.isRead') : t('notifications.isUnread')),
      },
      {
        id: 'created',
        label: t('notifications.received'),
        width: 150,
        card: 'detail' as const,
        value: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => <RelativeTime at={new Date(createdAt)} />,
      },
    ],
    [t],
  )
}
