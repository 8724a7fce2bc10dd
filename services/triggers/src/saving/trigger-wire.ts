import type { z } from 'zod'
import type { TriggerRow } from '../database.ts'
import type { Trigger } from './contract.ts'
import type { ActionSecrets } from './secret-rules.ts'
import { secretNames } from './secret-rules.ts'

type Counters = { counterIn: number; counterOut: number; counterThrottled: number }
const none: Counters = { counterIn: 0, counterOut: 0, counterThrottled: 0 }

/** Trigger on the wire, with the names of its secrets and the sums of its counters. */
export const toTrigger = (
  row: TriggerRow,
  { secrets, counters = none }: { secrets: ActionSecrets; counters?: Counters | undefined },
): z.input<typeof Trigger> => ({
  id: row.id,
  name: row.name,
  orgResourceId: row.org,
  updatedAt: row.updated_at.getTime(),
  disabled: row.disabled,
  deviceGroups: row.device_groups,
  owner: row.owner_name,
  triggerData: {
    policy: row.data.policy,
    actions: row.data.actions,
    locale: row.data.locale ?? null,
    timezone: row.data.timezone ?? null,
    longreach: row.data.longreach,
  },
  longreach: {
    version: row.version,
    createdAt: row.created_at.getTime(),
    state: stateOf(row),
    stopped: row.stopped,
    secrets: secretNames(secrets),
    counters,
    lastRunAt: row.last_run_at?.getTime() ?? null,
  },
})

function stateOf({ disabled, stopped }: TriggerRow) {
  if (disabled) return 'disabled'
  if (!stopped) return 'active'
  return stopped.code === 'right_lost' || stopped.code === 'owner_gone' ? 'blocked' : 'stopped'
}
