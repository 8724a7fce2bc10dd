import { reachOf } from '@longreach/authorization/reach'
import { toDataPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { outboxContract } from './contract.ts'
import { findDelivery, listDeliveries, restartDelivery, seesAbout } from './delivery-list.ts'
import { deliveryLog } from './delivery-log.ts'
import { toDelivery } from './delivery-wire.ts'

export function outboxHandlers({ db }: NotificationsDeps): Handlers<typeof outboxContract> {
  return {
    deliveries: async ({ query }, ctx) => {
      const { rows, total } = await listDeliveries(db, reachOf(ctx), query)
      return toDataPage(
        rows.map((row) => toDelivery(row, seesAbout(ctx, row))),
        total,
        query,
      )
    },

    deliveryLog: async ({ query }, ctx) => deliveryLog(db, query, ctx),

    sendAgain: async ({ params: { id } }, ctx) => {
      const found = await findDelivery(db, reachOf(ctx), id)
      if (!found) throw noDelivery(id)
      const restarted = await restartDelivery(db, id, ctx.now)
      if (!restarted) {
        const message = `This delivery is ${found.state}; only a FAILED one is sent again.`
        throw failure(notificationsContract, 'not_failed', { message, state: found.state })
      }
      const row = await findDelivery(db, reachOf(ctx), id)
      if (!row) throw noDelivery(id)
      return toDelivery(row, seesAbout(ctx, row))
    },

    failedNotifications: async ({ query }, ctx) => {
      const asked = { ...query, state: 'FAILED' as const }
      const { rows, total } = await listDeliveries(db, reachOf(ctx), asked)
      const data = rows.map((row) => ({
        id: row.id,
        type: row.channel,
        destination: row.recipient_name,
        input: seesAbout(ctx, row) ? row.about : '',
        error: row.answer,
        orgResourceId: row.org,
        timestamp: row.updated_at.getTime(),
      }))
      return toDataPage(data, total, query)
    },
  }
}

const noDelivery = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `There is no delivery ${id} here` })
