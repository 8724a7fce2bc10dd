import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { Firing } from './firing-contract.ts'
import type { TriggerData } from './saving/contract.ts'
import type { ActionType } from './saving/action-contract.ts'

type Json<T extends object> = JSONColumnType<T>

/** Run that led to another one by a path that it wrote. */
export type ChainLink = {
  runId: string
  triggerId: string
  deviceId: string
  name: string
  path: string
  at: number
}

/** Reason for which a trigger does not run. */
export type Stopped = {
  at: number
  code: 'too_deep' | 'repeated' | 'too_many_runs' | 'right_lost' | 'owner_gone'
  text: string
  chain: { triggerId: string; name: string; path: string }[]
}

type TriggerTable = {
  id: string
  org: string
  realm: string
  name: string
  disabled: boolean
  below: boolean
  version: number
  device_groups: string[]
  data: Json<TriggerData>
  secrets: Buffer
  owner: string
  owner_name: string
  owner_realm: string
  policy_at: Date
  stopped: JSONColumnType<Stopped | null, string | null, string | null>
  last_run_at: Date | null
  created_at: Date
  updated_at: Date
}
export type TriggerRow = Selectable<TriggerTable>

type FiringTable = {
  id: Generated<number>
  trigger_id: string
  payload: Json<Firing>
  tries: Generated<number>
  created_at: Date
}
export type FiringRow = Selectable<FiringTable>

type RunTable = {
  id: string
  trigger_id: string
  trigger_name: string
  version: number
  org: string
  device_id: string
  device_label: string
  device_org: string
  device_groups: number[]
  instance: string
  kind: 'acted' | 'almost' | 'failed'
  reason: string
  text: string
  owner_name: string
  fired_at: number
  at: Date
  done: boolean
  inputs: Json<Firing['inputs']>
  conditions: Json<Firing['conditions']>
  chain: Json<ChainLink[]>
}
export type RunRow = Selectable<RunTable>

export type ActionState = 'WAITING' | 'DONE' | 'FAILED' | 'BLOCKED' | 'THROTTLED' | 'SKIPPED'

type RunActionTable = {
  id: string
  run_id: string
  place: number
  uuid: string
  type: ActionType
  state: ActionState
  request: Generated<string>
  answer: Generated<string>
  ms: number | null
  delivery_id: string | null
  deliveries: Generated<number>
  ended: Generated<number>
  failures: Generated<number>
  throttled_until: Date | null
  work: Buffer | null
  device_id: string | null
  handed: Generated<boolean>
  due_at: Date
  tries: Generated<number>
}
export type RunActionRow = Selectable<RunActionTable>

type OwnerNoteTable = {
  id: string
  trigger_id: string
  org: string
  sub: string
  code: Stopped['code']
  name: string
  chain: string
  due_at: Date
  tries: Generated<number>
}
export type OwnerNoteRow = Selectable<OwnerNoteTable>

/** Tables of triggers, as its migrations create them. */
export type TriggersDb = {
  trigger: TriggerTable
  firing: FiringTable
  fired: {
    trigger_id: string
    device_id: string
    instance: string
    times: number[]
    ran: Generated<boolean>
  }
  throttle: { trigger_id: string; action: string; device_id: string; until: Date }
  counter: {
    trigger_id: string
    minute: Date
    n_in: Generated<number>
    n_out: Generated<number>
    n_throttled: Generated<number>
  }
  run: RunTable
  run_action: RunActionTable
  written_path: { device_id: string; path: string; chain: Json<ChainLink[]>; at: Date }
  owner_note: OwnerNoteTable
  blocked_actions: { org: string; types: string[]; updated_at: Date; updated_by: string }
}
