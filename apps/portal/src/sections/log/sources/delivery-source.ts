import type { Tone } from '@longreach/ui/StatusDot'
import { type Delivery, notificationsApi } from '../../../parts/notifications/notification-calls.ts'
import { type LogLine, type LogQuestion, type LogSource, sharedFields } from '../log-source.ts'

const tones: Record<Delivery['state'], Tone> = {
  WAITING: 'info',
  SENDING: 'info',
  SENT: 'ok',
  FAILED: 'alarm',
  DROPPED: 'off',
}

/** Messages of notifications to each recipient and channel. */
export const deliverySource: LogSource = {
  name: 'delivery',
  needs: ['notifications:read'],
  read: (question, next, signal) => readDeliveries(question, next, signal),
}

/** Messages of notifications that failed. */
export const failedDeliverySource: LogSource = {
  name: 'failedDelivery',
  needs: ['notifications:read'],
  read: (question, next, signal) => readDeliveries(question, next, signal, true),
}

async function readDeliveries(
  question: LogQuestion,
  next: string | undefined,
  signal: AbortSignal | undefined,
  failed = false,
) {
  const { organization } = question
  const page = await notificationsApi.deliveryLog(
    {
      query: {
        organization,
        ...sharedFields(question),
        ...(failed && { failed }),
        ...(next !== undefined && { next }),
      },
    },
    signal && { signal },
  )
  return { lines: page.data.map(lineOfDelivery), next: page.next }
}

const lineOfDelivery = (delivery: Delivery): LogLine => ({
  key: `delivery:${delivery.id}`,
  source: 'delivery',
  at: delivery.createdAt,
  organization: delivery.orgResourceId,
  texts: ({ t, findWords }) => ({
    who: delivery.recipient,
    what: t('whole-log.message', {
      channel: findWords(`whole-log.channel.${delivery.channel}`) ?? delivery.channel,
    }),
    on: delivery.about,
    state: { tone: tones[delivery.state], text: t(`whole-log.state.${delivery.state}`) },
  }),
  ...(delivery.state === 'FAILED' && {
    again: {
      needs: 'notifications:update',
      send: () =>
        notificationsApi.sendAgain({
          params: { id: delivery.id },
          query: { organization: delivery.orgResourceId },
          body: {},
        }),
    },
  }),
  facts: () => [
    { label: 'whole-log.fact.notification', value: delivery.notificationName },
    { label: 'whole-log.fact.attempts', value: String(delivery.attempt) },
    { label: 'whole-log.fact.answer', value: delivery.answer },
    { label: 'whole-log.fact.gate', value: delivery.gate },
  ],
})
