import { randomUUID } from 'node:crypto'
import type { TriggerRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import type { NewAction } from '../runs/run-store.ts'
import type { ActionSecrets } from '../saving/secret-rules.ts'
import type { Firing } from '../firing-contract.ts'
import type { Planned } from './plan-rules.ts'
import { sealWork } from './action-work.ts'
import { requestText } from './request-rules.ts'

/** Time in ms in which a device has to take a write. */
const writeMs = 30_000

type Asked = {
  planned: readonly Planned[]
  firing: Firing
  trigger: TriggerRow
  secrets: ActionSecrets
  now: Date
}

/** Rows of the actions of a run; those that wait have all that they need with them. */
export const plannedActions = (
  deps: Pick<TriggersDeps, 'secrets'>,
  { planned, firing, trigger, secrets, now }: Asked,
): NewAction[] =>
  planned.map(({ action, state, answer, throttledUntil }, place) => {
    const id = randomUUID()
    const isWaiting = state === 'WAITING'
    const isWrite = action.type === 'WRITE'
    const cause = firing.inputs.find(({ isCause }) => isCause) ?? firing.inputs[0]
    const work = { action, secrets: secrets[action.uuid ?? ''] ?? {}, firing, cause }
    return {
      id,
      place,
      uuid: action.uuid ?? '',
      type: action.type,
      state,
      request: requestText(action, cause?.value ?? null),
      answer,
      ms: null,
      delivery_id: null,
      throttled_until: throttledUntil === null ? null : new Date(throttledUntil),
      work: isWaiting ? sealWork(deps.secrets, id, { ...work, zone: trigger.data.timezone }) : null,
      device_id: isWrite ? (action.deviceId ?? firing.deviceId) : null,
      due_at: isWrite ? new Date(now.getTime() + writeMs) : now,
    }
  })
