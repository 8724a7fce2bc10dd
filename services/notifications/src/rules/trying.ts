import { canAlarmInSight } from '@longreach/authorization/alarm-visibility'
import type { Handlers } from '@longreach/kit/service'
import type { NotificationsDeps } from '../deps.ts'
import { audienceOf } from '../recipients/audience.ts'
import { gatesOf } from './gates.ts'
import { readAlarm } from '../read-alarm.ts'
import { isPersonal, recipientsOfRule } from './rule-recipients.ts'
import type { rulesContract } from './contract.ts'

type Handler = Handlers<typeof rulesContract>['tryNotification']

/** Trial of a rule with alarms: the first gate that each does not pass, and who would get a message. */
export const tryNotification =
  (deps: NotificationsDeps): Handler =>
  async ({ body: { notification, alarmIds, at } }, ctx) => {
    const settings = { ...notification, name: notification.name ?? '' }
    const now = at ?? ctx.now.getTime()
    const alarms = await Promise.all([...new Set(alarmIds)].map((id) => readAlarm(deps, id)))
    const visible = alarms.flatMap((alarm) =>
      alarm && canAlarmInSight(ctx, { org: alarm.orgResourceId, ...alarm }) ? [alarm] : [],
    )
    const recipients = await recipientsOfRule(deps, { org: ctx.organization.resourceId, settings })
    const audience = await audienceOf(deps.db, recipients, {
      channels: settings.longreach.channels.filter(isPersonal),
      severity: Math.max(settings.minimumSeverity, ...visible.map(({ level }) => level)),
      now: new Date(now),
    })
    return {
      data: visible.map((alarm) => {
        const stopped = gatesOf({ settings, alarm, now, waitedMs: 0 }).find(({ passed }) => !passed)
        return {
          alarmId: alarm.id,
          deviceLabel: alarm.deviceLabel,
          name: alarm.name,
          gate: stopped?.gate ?? '',
          detail: stopped?.saw ?? '',
        }
      }),
      recipients: [...Map.groupBy(audience, ({ recipient }) => recipient).values()].map((some) => ({
        type: some[0]?.outside === true ? 'outside' : 'user',
        name: some[0]?.name ?? '',
        channels: some.filter(({ gate }) => gate === '').map(({ channel }) => channel),
      })),
    }
  }
