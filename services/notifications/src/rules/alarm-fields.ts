import { type Condition, readCondition } from '@longreach/search-expression/condition'
import { matches, type RowField } from '@longreach/search-expression/matches'
import type { ToldAlarm } from '../message-contract.ts'

type AlarmField = RowField<ToldAlarm>

const text = (read: (alarm: ToldAlarm) => string): AlarmField => ({ kind: 'text', read })
const time = (read: (alarm: ToldAlarm) => number): AlarmField => ({ kind: 'time', read })

/** Fields of an alarm in expressions, with the names of the existing wire. */
const fields: Record<string, AlarmField> = {
  id: text(({ id }) => id),
  name: text(({ name }) => name),
  description: text(({ description }) => description),
  tag: text(({ tag }) => tag),
  deviceId: text(({ deviceId }) => deviceId),
  deviceLabel: text(({ deviceLabel }) => deviceLabel),
  orgResourceId: text(({ orgResourceId }) => orgResourceId),
  status: text(({ status }) => status),
  ack: text(({ ack }) => ack),
  reset: text(({ reset }) => reset),
  class: text(({ longreach }) => longreach.class),
  severity: { kind: 'number', read: ({ severity }) => severity },
  updatedAt: time(({ updatedAt }) => updatedAt),
  eventTimestamp: time(({ eventTimestamp }) => eventTimestamp),
}

const fieldOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** Expression over the fields of an alarm; a fault has its place in the text. */
export const readAlarmExpression = (source: string) => readCondition<AlarmField>(source, fieldOf)

/** Test of alarms by an expression; false for one that cannot be read. */
export function expressionTest(source: string): (alarm: ToldAlarm) => boolean {
  const read = readAlarmExpression(source)
  return read.ok ? matches(read.condition satisfies Condition<AlarmField>) : () => false
}
