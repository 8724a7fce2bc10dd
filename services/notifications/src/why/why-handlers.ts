import { canInSight } from '@longreach/authorization/device-visibility'
import { reachOf } from '@longreach/authorization/reach'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import { readAlarm } from '../read-alarm.ts'
import type { whyContract } from './contract.ts'
import { decisionsAbout, deliveriesTo, rulesAt } from './why-store.ts'
import { stepsOf, stepsWithoutDecision } from './why-steps.ts'

export function whyHandlers(deps: NotificationsDeps): Handlers<typeof whyContract> {
  const { db, clients } = deps
  return {
    why: async ({ query: { alarm: id, user } }, ctx) => {
      const alarm = await readAlarm(deps, id)
      const isVisible =
        alarm && canInSight(ctx, 'read', { org: alarm.orgResourceId, groups: alarm.groups })
      if (!isVisible) throw notFound(`There is no alarm ${id} here`)
      const named = user ?? ctx.caller.sub
      const { people } = await clients.core.recipients({
        body: { organization: ctx.organization.resourceId, people: [named], groups: [] },
      })
      const [person] = people
      if (!person) throw notFound(`user: there is no person "${named}" in this organization`)
      const at = new Date(alarm.longreach.heardAt)
      const [rules, decisions] = await Promise.all([
        rulesAt(db, reachOf(ctx), { org: alarm.orgResourceId, at }),
        decisionsAbout(db, id),
      ])
      const messages = decisions.flatMap(({ message_id: message }) => message ?? [])
      const deliveries = await deliveriesTo(db, person.sub, messages)
      const ways = rules.flatMap((rule) => {
        const own = decisions.filter((one) => one.notification_id === rule.id)
        const common = { notificationId: rule.id, name: rule.name }
        if (own.length === 0) {
          const steps = stepsWithoutDecision(alarm, rule)
          return [{ ...common, at: at.getTime(), kind: 'raised', steps, isTold: false }]
        }
        return own.map((decision) => {
          const got = deliveries.filter((one) => one.message_id === decision.message_id)
          return {
            ...common,
            at: decision.at.getTime(),
            kind: decision.kind,
            steps: stepsOf(rule, decision, { alarm, deliveries: got }),
            isTold: got.some(({ state }) => state === 'SENT'),
          }
        })
      })
      return { user: person.username, rules: ways }
    },
  }
}

const notFound = (message: string) => failure(notificationsContract, 'not_found', { message })
