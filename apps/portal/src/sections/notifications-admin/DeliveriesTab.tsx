import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Anchor, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { stale } from '../../parts/api/api.ts'
import { type Delivery, notificationsApi } from '../../parts/notifications/notification-calls.ts'
import { linkTo } from '../../parts/pages/page-links.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { deliveryStates, useDeliveries, useOwnOrganization } from './admin-calls.ts'
import { AdminList, RowButton } from './AdminList.tsx'

const tones: Record<Delivery['state'], Tone> = {
  WAITING: 'info',
  SENDING: 'info',
  SENT: 'ok',
  FAILED: 'alarm',
  DROPPED: 'off',
}

/** Messages to each recipient and channel, and what became of them. */
export function DeliveriesTab() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = deliveryStates.find((name) => name === one(search['state']))
  const list = useDeliveries(state)
  return (
    <AdminList
      tab="deliveries"
      name="notification-deliveries"
      columns={useDeliveryColumns()}
      rows={list.data?.rows ?? []}
      rowId={({ id }) => id}
      total={list.data?.total}
      list={list}
      toolbar={
        <SegmentedControl
          size="xs"
          aria-label={t('notifications-admin.state')}
          value={state ?? ''}
          onChange={(value) => void change({ state: value })}
          data={[
            { value: '', label: t('notifications-admin.all') },
            ...deliveryStates.map((value) => ({
              value,
              label: t(`notifications-admin.states.${value}`),
            })),
          ]}
        />
      }
      none={{
        title: t('notifications-admin.noDeliveries'),
        text: t('notifications-admin.noDeliveriesText'),
      }}
      filtered={
        state && {
          title: t('notifications-admin.noneOfState'),
          clear: t('notifications-admin.all'),
          onClear: () => void change({ state: undefined }),
        }
      }
    />
  )
}

function useDeliveryColumns(): Column<Delivery>[] {
  const t = useWords()
  const findWords = useOptionalWords()
  return useMemo(() => {
    /** Reason for which it was dropped, or the answer of the server. */
    const resultOf = ({ gate, answer }: Delivery) =>
      gate === '' ? answer : (findWords(`notifications-admin.gate.${gate}`) ?? gate)
    return [
      {
        id: 'about',
        label: t('notifications-admin.about'),
        width: 210,
        grow: 3,
        fixed: true,
        card: 'title' as const,
        cell: ({ about }) => about || '–',
      },
      {
        id: 'recipient',
        label: t('notifications-admin.recipient'),
        width: 150,
        grow: 2,
        card: 'detail' as const,
        cell: ({ recipient }) => recipient,
      },
      {
        id: 'channel',
        label: t('notifications-admin.type'),
        width: 100,
        card: 'detail' as const,
        cell: ({ channel }) => findWords(`notifications-admin.channel.${channel}`) ?? '–',
      },
      {
        id: 'state',
        label: t('notifications-admin.state'),
        width: 130,
        card: 'state' as const,
        cell: ({ state }) => (
          <Tag tone={tones[state]}>{t(`notifications-admin.states.${state}`)}</Tag>
        ),
      },
      {
        id: 'result',
        label: t('notifications-admin.result'),
        width: 210,
        grow: 2,
        card: 'detail' as const,
        cell: (delivery) => <span title={resultOf(delivery)}>{resultOf(delivery) || '–'}</span>,
      },
      {
        id: 'created',
        label: t('notifications-admin.created'),
        width: 120,
        cell: ({ createdAt }) => <RelativeTime at={new Date(createdAt)} />,
      },
      {
        id: 'why',
        label: t('notifications-admin.why'),
        width: 90,
        card: 'detail' as const,
        cell: ({ id, kind }) => (aboutAlarms.has(kind) ? <WhyLink delivery={id} /> : null),
      },
      {
        id: 'again',
        label: t('notifications-admin.again'),
        width: 140,
        card: 'detail' as const,
        cell: (delivery) => (delivery.state === 'FAILED' ? <Again delivery={delivery} /> : null),
      },
    ]
  }, [t, findWords])
}

/** Kinds of messages that are about alarms, and have a way that can be explained. */
const aboutAlarms: ReadonlySet<Delivery['kind']> = new Set(['alarms', 'return', 'escalation'])

function WhyLink({ delivery }: { delivery: string }) {
  const t = useWords()
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link {...linkTo('/notifications/why', { search: { delivery } })} {...props} />
      )}
    >
      {t('notifications-admin.why')}
    </Anchor>
  )
}

function Again({ delivery: { id } }: { delivery: Delivery }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const again = useMutation({
    mutationFn: () => notificationsApi.sendAgain({ params: { id }, query, body: {} }),
    onSuccess: () => stale(notificationsApi.deliveries),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <RowButton
      text={t('notifications-admin.again')}
      pending={again.isPending}
      onClick={() => again.mutate()}
    />
  )
}
