import { compileSchedule } from '@longreach/rules/schedule'
import type { ChosenChannel } from '../asked-contract.ts'
import type { DeliveryGate } from '../gate-names.ts'
import type { PreferenceSettings } from './contract.ts'

type Asked = { channels: readonly ChosenChannel[]; severity: number; now: Date }

/** Channels of a person for a message, with the gate of those that are kept from them. */
export function choiceOf(
  preference: PreferenceSettings | undefined,
  { channels, severity, now }: Asked,
): { channel: ChosenChannel; gate: DeliveryGate | '' }[] {
  const own = preference?.bySeverity[String(severity)]
  const gate = preference === undefined ? '' : quietGate(preference, severity, now)
  return [...new Set([...channels, ...(own ?? [])])].map((channel) => {
    if (own && !own.includes(channel)) return { channel, gate: 'preference' }
    // The inbox disturbs nobody.
    return { channel, gate: channel === 'inbox' ? '' : gate }
  })
}

function quietGate(
  { quiet, pausedUntil }: PreferenceSettings,
  severity: number,
  now: Date,
): DeliveryGate | '' {
  if (pausedUntil !== null && now.getTime() < pausedUntil) return 'paused'
  if (quiet === null || severity >= quiet.through) return ''
  const { zone, from, to } = quiet
  const times = [{ days: [0, 1, 2, 3, 4, 5, 6], from, to }]
  return compileSchedule({ zone, times, exceptDates: [] }).isOpen(now.getTime()) ? 'quiet' : ''
}
