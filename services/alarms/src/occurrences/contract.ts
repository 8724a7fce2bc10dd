import { definePartContract, laneOfDevice } from '@longreach/kit/contract'
import { deviceStateEvents } from '@longreach/mappings/device-state-contract'
import { z } from 'zod'
import { alarmId, deviceId, ms } from '../asked-contract.ts'

/** Value of the source of an alarm, in the type in which the device sent it; bytes as base64 text. */
export const SourceValue = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['double', 'integer', 'longinteger']), value: z.number() }),
  z.object({ type: z.literal('boolean'), value: z.boolean() }),
  z.object({ type: z.enum(['string', 'binaryblob']), value: z.string() }),
])
export type SourceValue = z.output<typeof SourceValue>

/** Bits of the state in an alarm message of a device (`contracts.md` 5.1). */
export const stateBits = { enabled: 1, active: 2, acked: 4, ackRequired: 8, resetRequired: 16 }

/** Message of a device about one of its alarms. */
export const AlarmReport = z.object({
  deviceId,
  /** Name of the alarm on the device. */
  name: z.string(),
  description: z.string(),
  tag: z.string(),
  severity: z.int(),
  state: z.int(),
  /** Start of the occurrence, by which the device knows it. */
  startedAt: ms,
  changedAt: ms,
  heardAt: ms,
  /**
   * Connection in which the message came: the serial number of the client certificate, a dot, and the number
   * of the connection; without these two before the device had asked for its configuration.
   */
  certificate: z.string(),
  value: SourceValue.nullable(),
})
export type AlarmReport = z.output<typeof AlarmReport>

const formulaValue = z.union([z.number(), z.string(), z.boolean(), z.null()])
const Words = z.object({
  value: formulaValue,
  limit: z.unknown(),
  values: z.record(z.string(), z.unknown()),
})
const leveled = { t: ms, level: z.int(), severity: z.int(), words: Words }

/** Change of an alarm of a rule, as `step` of `@longreach/rules` answers it. */
export const RuleChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('raise'), ...leveled }),
  z.object({ kind: z.literal('severity'), ...leveled }),
  z.object({ kind: z.literal('again'), t: ms, count: z.int() }),
  z.object({ kind: z.literal('return'), t: ms, reason: z.literal('rule_changed').optional() }),
  z.object({ kind: z.enum(['suppressed', 'hidden', 'shown']), t: ms }),
])

const OpenBefore = z.object({
  start: ms,
  end: ms.optional(),
  severity: z.int(),
  maxSeverity: z.int(),
  raises: z.int(),
  isHidden: z.literal(true).optional(),
})

/** Changes of the alarm of one instance of a rule on a device, in order of time. */
export const RuleChanged = z.object({
  deviceId,
  ruleId: z.string(),
  ruleVersion: z.int(),
  /** Item of the rule, as `instancesOf` names it: empty, or `2`, or `2.0`. */
  instance: z.string(),
  changes: z.array(RuleChange),
  heardAt: ms,
  /**
   * Present when late values were judged again: `changes` are then all after `since`, and take the place of
   * those that are stored; `open` is the alarm that was open at `since`.
   */
  again: z.object({ since: ms, open: OpenBefore.optional() }).optional(),
})
export type RuleChanged = z.output<typeof RuleChanged>

/**
 * Events of alarms. Alarms declares what platform publishes (`platform.…`), because it consumes it and
 * imports nothing of the services above it.
 */
export const occurrencesContract = definePartContract({
  endpoints: {
    /** Raises an alarm of a trigger, which stays until somebody acknowledges it; the same time twice is one. */
    raiseTriggerAlarm: {
      method: 'POST',
      path: '/internal/devices/:deviceId/trigger-alarm',
      access: 'service',
      params: z.object({ deviceId }),
      body: z.object({
        /** Trigger and action, by which a further alarm of it is the same one while it is open. */
        source: z.string().min(1).max(200),
        organization: z.string(),
        name: z.string().max(200),
        text: z.string().max(2_000),
        severity: z.int().min(0).max(6),
        at: ms,
        /** Paths that the trigger looks at: who may not read them does not see the alarm. */
        paths: z.array(z.string()).max(50),
      }),
      result: z.object({ id: alarmId }),
    },
  },
  events: {
    alarmReported: {
      topic: 'platform.alarm_reported',
      lane: laneOfDevice,
      payload: AlarmReport,
    },
    ruleChanged: {
      topic: 'platform.rule_changed',
      lane: laneOfDevice,
      payload: RuleChanged,
    },
    /** Change of an occurrence; its texts and values are read when they are needed. */
    alarmsChanged: {
      topic: 'alarms.changed',
      lane: laneOfDevice,
      payload: z.object({
        id: alarmId,
        deviceId,
        orgResourceId: z.string(),
        kind: z.enum([
          'raised',
          'again',
          'severity',
          'returned',
          'acknowledged',
          'reset',
          'cleared',
          'closed',
          'withdrawn',
          'restored',
          'late',
          'suppressed',
          'hidden',
          'shown',
          'shelved',
          'unshelved',
          'commented',
          'assigned',
          'ladder',
          'moved',
          'purged',
        ]),
        severity: z.int(),
        isOpen: z.boolean(),
        at: ms,
        /** Paths that its rule judges, by which readers are limited; null for an alarm of the device itself. */
        paths: z.array(z.string()).nullable().default(null),
      }),
    },
    /** Mappings declares it: it sets attributes of the device by it. */
    alarmCounts: deviceStateEvents.alarmCounts,
    /** A command waits for its device; the process that the device is connected to sends it. */
    commandWaiting: {
      topic: 'alarms.command_waiting',
      lane: laneOfDevice,
      payload: z.object({ deviceId }),
    },
  },
})
