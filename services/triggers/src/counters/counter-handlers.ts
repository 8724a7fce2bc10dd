import { reachOf } from '@longreach/authorization/reach'
import { toContentPage } from '@longreach/kit/contract'
import type { Handlers } from '@longreach/kit/service'
import type { TriggersDeps } from '../deps.ts'
import { noTrigger } from '../no-trigger.ts'
import { findTrigger } from '../saving/trigger-store.ts'
import { storableDate } from '../storable-date.ts'
import type { countersContract } from './contract.ts'
import { listCounters } from '../counter-store.ts'

const dayMs = 86_400_000
/** Last moment that a date can say. */
const last = 8.64e15

export const counterHandlers = ({ db }: TriggersDeps): Handlers<typeof countersContract> => ({
  counters: async ({ params: { id }, query }, ctx) => {
    const trigger = await findTrigger(db, reachOf(ctx), id)
    if (!trigger) throw noTrigger(id)
    const to = query.dateTo ?? Math.min(last, ctx.now.getTime() + 1)
    const from = query.dateFrom ?? to - dayMs
    const range = { from: storableDate(from), to: storableDate(to) }
    const { rows, total } = await listCounters(db, id, { ...query, ...range })
    return toContentPage(rows, total, query)
  },
})
