import type { notificationsContract } from '@longreach/notifications/contract'
import type { z } from 'zod'
import type { Outbox } from './live-outbox.ts'

/** Change of a person's inbox, as notifications tells it. */
export type InboxChange = z.output<typeof notificationsContract.events.inboxChanged.payload>

/** Number of unread messages, and the severity of the message that came; -1 when messages were read. */
export type InboxNumbers = Omit<InboxChange, 'sub'>

/** Interval of frames of one subscription. */
const frameMs = 100

/**
 * Feed of the changes of an inbox for one subscription: the first goes at once, then at most ten frames a second,
 * each with the newest number and the worst severity since the frame before.
 */
export function createInboxFeed(outbox: Outbox, id: number) {
  let next: InboxNumbers | undefined
  let sentAt = -Infinity
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    timer = undefined
    if (!next) return
    // A slow reader gets the newest number when it has read the others.
    if (!outbox.isFree()) return wake(frameMs)
    sentAt = performance.now()
    outbox.send({ op: 'inbox', id, ...next })
    next = undefined
  }
  const wake = (waitMs: number) => {
    timer ??= setTimeout(flush, Math.max(0, waitMs))
  }
  return {
    change({ unread, severity }: InboxNumbers) {
      next = { unread, severity: Math.max(severity, next?.severity ?? -1) }
      wake(sentAt + frameMs - performance.now())
    },
    stop: () => clearTimeout(timer),
  }
}
export type InboxFeed = ReturnType<typeof createInboxFeed>
