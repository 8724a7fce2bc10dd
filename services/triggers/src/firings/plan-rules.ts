import type { ActionState } from '../database.ts'
import type { AnyAction } from '../saving/action-contract.ts'
import { daysOf } from '../saving/action-rules.ts'

/** Action of a run as it begins. */
export type Planned = {
  action: AnyAction
  state: ActionState
  answer: string
  throttledUntil: number | null
}

type Asked = {
  actions: readonly AnyAction[]
  /** Day of the week of the trigger's zone, 0 is Sunday. */
  day: number
  now: number
  blocked: ReadonlySet<string>
  mayAct: (action: AnyAction) => boolean
  /** Times until which actions are throttled, by their uuid. */
  throttles: ReadonlyMap<string, number>
}

/** State in which each action of a firing begins; `lost` are those for which the owner has no right any more. */
export function planActions({ actions, day, now, blocked, mayAct, throttles }: Asked) {
  const lost: AnyAction[] = []
  const planned = actions.map((action): Planned => {
    const planAs = (state: ActionState, answer: string, throttledUntil: number | null = null) => ({
      action,
      state,
      answer,
      throttledUntil,
    })
    if (action.disabled) return planAs('SKIPPED', 'The action is disabled.')
    const days = daysOf(action)
    if (days.length > 0 && !days.includes(day))
      return planAs('SKIPPED', 'It does not run on this day.')
    if (blocked.has(action.type)) return planAs('BLOCKED', 'Actions of this kind are switched off.')
    if (!mayAct(action)) {
      lost.push(action)
      return planAs('BLOCKED', 'The owner of the trigger has no right to do this.')
    }
    const until = throttles.get(action.uuid ?? '') ?? 0
    if (until > now) return planAs('THROTTLED', 'It has just run for this device.', until)
    return planAs('WAITING', '')
  })
  return { planned, lost }
}

/** Kind and reason of a run, by what becomes of its actions. */
export function outcomeOf(planned: readonly Planned[]) {
  const has = (state: ActionState) => planned.some((one) => one.state === state)
  if (has('WAITING')) return { kind: 'acted', reason: 'fired' } as const
  if (has('THROTTLED')) return { kind: 'almost', reason: 'throttled' } as const
  if (has('BLOCKED')) return { kind: 'failed', reason: 'blocked' } as const
  const isDayOff = planned.some(({ action, state }) => state === 'SKIPPED' && !action.disabled)
  return { kind: 'almost', reason: isDayOff ? 'not_today' : 'no_action' } as const
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Day of the week at a time in a zone, 0 is Sunday. */
export const dayIn = (zone: string, at: Date) =>
  days.indexOf(new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' }).format(at))
