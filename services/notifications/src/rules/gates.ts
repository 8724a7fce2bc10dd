import { compileSchedule } from '@longreach/rules/schedule'
import type { RuleGate } from '../gate-names.ts'
import type { ToldAlarm } from '../message-contract.ts'
import { dayNumber, type NotificationSettings } from '../rules/contract.ts'
import { expressionTest } from './alarm-fields.ts'
import { nameTest } from './name-pattern.ts'

/** Result of a gate with what it saw. */
type Gate = { gate: RuleGate; passed: boolean; saw: string }

type Asked = {
  settings: NotificationSettings
  alarm: ToldAlarm
  now: number
  /** Milliseconds since the change of the alarm that is told. */
  waitedMs: number
}

/** Each gate of a rule for an alarm, judged now. */
export function gatesOf({ settings, alarm, now, waitedMs }: Asked): Gate[] {
  const gate = (name: RuleGate, passed: boolean, saw: string | number = '') => ({
    gate: name,
    passed,
    saw: String(saw),
  })
  return [
    gate('rule', settings.enabled, settings.enabled ? 'enabled' : 'disabled'),
    gate('severity', alarm.level >= settings.minimumSeverity, alarm.level),
    gate('name', isNamed(settings, alarm), alarm.name),
    gate('group', isInGroups(settings, alarm), alarm.groups.join(' ')),
    gate('expression', fitsExpressions(settings, alarm), settings.extraFilters.join(' ')),
    gate('device', !alarm.isDeviceDeleted, alarm.isDeviceDeleted ? 'deleted' : ''),
    gate('shelf', !alarm.isShelved, seenShelf(alarm)),
    gate('suppressed', !alarm.longreach.suppressed),
    gate('withdrawn', !alarm.longreach.withdrawn),
    gate('late', !isTooLate(alarm)),
    gate('ack', isStillToAcknowledge(settings, alarm, waitedMs), alarm.ack),
    gate('day', isOpenAt(settings, now), new Date(now).toISOString()),
  ]
}

/** Person who shelved an alarm, and until when. */
const seenShelf = ({ isShelved, shelf }: ToldAlarm) =>
  shelf ? `${shelf.by} until ${new Date(shelf.until).toISOString()}` : isShelved ? 'shelved' : ''

const isNamed = ({ nameFilters }: NotificationSettings, { name }: ToldAlarm) =>
  nameFilters.length === 0 || nameFilters.some((pattern) => nameTest(pattern)(name))

const isInGroups = ({ deviceGroupFilters }: NotificationSettings, { groups }: ToldAlarm) =>
  deviceGroupFilters.length === 0 || deviceGroupFilters.some((id) => groups.includes(Number(id)))

const fitsExpressions = ({ extraFilters }: NotificationSettings, alarm: ToldAlarm) =>
  extraFilters.every((source) => source.trim() === '' || expressionTest(source)(alarm))

const lateMs = 3_600_000

/** An alarm of late values that was over for more than an hour when it was heard. */
function isTooLate({ longreach: { late, returnedAt, heardAt } }: ToldAlarm) {
  return late && returnedAt !== null && heardAt - returnedAt > lateMs
}

/** After the time to acknowledge, only what is open and unacknowledged is told. */
function isStillToAcknowledge(
  { ackTime }: NotificationSettings,
  alarm: ToldAlarm,
  waitedMs: number,
) {
  if (ackTime === 0 || waitedMs < ackTime * 60_000) return true
  return alarm.isOpen && alarm.ack === 'REQUIRED'
}

/** Days and hours of a rule by the clock of its zone. */
function isOpenAt({ days, longreach: { times, zone } }: NotificationSettings, now: number) {
  if (days.length === 0 && times.length === 0) return true
  const numbers = (some: readonly (string | number)[]) =>
    some.flatMap((day) => dayNumber(day) ?? [])
  const all = [0, 1, 2, 3, 4, 5, 6]
  const ofRule = days.length === 0 ? all : numbers(days)
  const windows = times.length === 0 ? [{ days: [], from: '00:00', to: '24:00' }] : times
  const schedule = compileSchedule({
    zone,
    times: windows.map(({ days: own, from, to }) => ({
      days: own.length === 0 ? ofRule : numbers(own).filter((day) => ofRule.includes(day)),
      from,
      to,
    })),
    exceptDates: [],
  })
  return schedule.isOpen(now)
}
