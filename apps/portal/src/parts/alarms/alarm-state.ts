import type { Alarm } from './alarm-calls.ts'

export type AlarmState =
  | 'unacknowledged'
  | 'acknowledged'
  | 'active'
  | 'overUnacknowledged'
  | 'overReset'
  | 'over'
  | 'cleared'

type Asked = Pick<Alarm, 'status' | 'ack' | 'reset' | 'action'>

/** State of an alarm, for which there are words. */
export function alarmState({ status, ack, reset, action }: Asked): AlarmState {
  if (status === 'CLEARED') return 'cleared'
  if (status === 'ACTIVE') {
    if (ack === 'REQUIRED') return 'unacknowledged'
    return action === 'ACK' ? 'acknowledged' : 'active'
  }
  if (ack === 'REQUIRED') return 'overUnacknowledged'
  return reset === 'REQUIRED' ? 'overReset' : 'over'
}

/** True while somebody has something to do or the condition holds (T-07). */
/** True while it is active, or somebody has to do something about it. */
export const isOpen = (alarm: Asked) => !['over', 'cleared'].includes(alarmState(alarm))

export const alarmActions = ['ack', 'reset', 'clear'] as const
export type AlarmAction = (typeof alarmActions)[number]

/** Reason for which an action leaves an alarm as it is; undefined if it changes it. */
export function skipOf(action: AlarmAction, alarm: Asked) {
  if (!isOpen(alarm)) return 'closed' as const
  if (action === 'clear') return undefined
  if (action === 'ack') return alarm.ack === 'REQUIRED' ? undefined : ('already' as const)
  if (alarm.reset !== 'REQUIRED') return 'already' as const
  if (alarm.ack === 'REQUIRED') return 'ack_first' as const
  return alarm.status === 'ACTIVE' ? ('still_active' as const) : undefined
}
