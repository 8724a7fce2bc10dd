import { canAlarmInSight } from '@longreach/authorization/alarm-visibility'
import { canInSight } from '@longreach/authorization/device-visibility'
import { reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { alarmsOfMessage } from '../outbox/delivery-store.ts'
import { findDelivery } from '../outbox/delivery-list.ts'
import { readAlarm } from '../read-alarm.ts'
import type { whyContract } from './contract.ts'
import { decisionsAbout, deliveriesAbout, deliveriesTo, rulesAt } from './why-store.ts'
import { stepsOf, stepsWithoutDecision } from './why-steps.ts'

/** Deliveries of an alarm in one answer. */
const mostTold = 200

export function whyHandlers(deps: NotificationsDeps): Handlers<typeof whyContract> {
  const { db, clients } = deps
  return {
    why: async ({ query: { alarm: id, user } }, ctx) => {
      const alarm = await visibleAlarm(deps, ctx, id)
      const named = user ?? ctx.caller.sub
      const { people } = await clients.core.recipients({
        body: { organization: ctx.organization.resourceId, people: [named], groups: [] },
      })
      const [person] = people
      if (!person) throw notFound(`user: there is no person "${named}" in this organization`)
      return explain(deps, ctx, { alarm, recipient: person.sub, name: person.username })
    },

    whyDelivery: async ({ params: { id } }, ctx) => {
      const delivery = await findDelivery(db, reachOf(ctx), id)
      if (!delivery) throw notFound(`There is no delivery ${id} here`)
      const told = await alarmsOfMessage(db, delivery.facts.origin ?? delivery.message_id)
      const first = told.find(({ alarm_org: org, groups }) =>
        canInSight(ctx, 'read', { org, groups }),
      )
      if (!first) throw notFound('The message of this delivery is about no alarm that you may see')
      const alarm = await visibleAlarm(deps, ctx, first.alarm_id)
      const { recipient, recipient_name: name, notification_id: ruleId } = delivery
      const all = await explain(deps, ctx, { alarm, recipient, name })
      return { ...all, rules: all.rules.filter((rule) => rule.notificationId === ruleId) }
    },

    told: async ({ query: { alarm: id } }, ctx) => {
      await visibleAlarm(deps, ctx, id)
      const rows = await deliveriesAbout(db, reachOf(ctx), { alarmId: id, limit: mostTold + 1 })
      const data = rows.slice(0, mostTold).map((row) => ({
        deliveryId: row.id,
        kind: row.kind,
        recipient: row.recipient_name,
        channel: row.channel,
        state: row.state,
        gate: row.gate,
        at: row.updated_at.getTime(),
      }))
      return { data, isMore: rows.length > mostTold }
    },
  }
}

async function visibleAlarm(deps: NotificationsDeps, ctx: OrgCtx, id: string) {
  const alarm = await readAlarm(deps, id)
  const isVisible = alarm && canAlarmInSight(ctx, { org: alarm.orgResourceId, ...alarm })
  if (!isVisible) throw notFound(`There is no alarm ${id} here`)
  return alarm
}

type Asked = { alarm: ToldAlarm; recipient: string; name: string }

/** Way of an alarm to a recipient through each rule that the caller may see. */
async function explain({ db }: NotificationsDeps, ctx: OrgCtx, { alarm, recipient, name }: Asked) {
  const at = new Date(alarm.longreach.heardAt)
  const [rules, decisions] = await Promise.all([
    rulesAt(db, reachOf(ctx), { org: alarm.orgResourceId, at }),
    decisionsAbout(db, alarm.id),
  ])
  const messages = decisions.flatMap(({ message_id: message }) => message ?? [])
  const deliveries = await deliveriesTo(db, recipient, messages)
  const ways = rules.flatMap((rule) => {
    const own = decisions.filter((one) => one.notification_id === rule.id)
    const common = { notificationId: rule.id, name: rule.name }
    if (own.length === 0) {
      const steps = stepsWithoutDecision(alarm, rule)
      return [{ ...common, at: at.getTime(), kind: 'raised', steps, isTold: false }]
    }
    return own.map((decision) => {
      const got = deliveries.filter(({ about }) => about === decision.message_id)
      return {
        ...common,
        at: decision.at.getTime(),
        kind: decision.kind,
        steps: stepsOf(rule, decision, { alarm, deliveries: got }),
        isTold: got.some(({ state }) => state === 'SENT'),
      }
    })
  })
  const { id, deviceLabel: device, name: named, level: severity } = alarm
  return { user: name, alarm: { id, device, name: named, severity }, rules: ways }
}

const notFound = (message: string) => failure(notificationsContract, 'not_found', { message })
