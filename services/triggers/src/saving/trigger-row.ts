import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { OrgCtx } from '@longreach/kit/service'
import type { TriggerRow } from '../database.ts'
import type { TriggersDeps } from '../deps.ts'
import type { PostedTrigger, TriggerData } from './contract.ts'
import { sealSecrets } from './sealed-secrets.ts'
import type { ActionSecrets } from './secret-rules.ts'

/** Trigger in which each action has a uuid. */
export const withUuids = (data: TriggerData): TriggerData => ({
  ...data,
  actions: data.actions.map((one) => ({ ...one, uuid: one.uuid ?? randomUUID() })),
  longreach: {
    ...data.longreach,
    actions: data.longreach.actions.map((one) => ({ ...one, uuid: one.uuid ?? randomUUID() })),
  },
})

/** Owner of what a person saves: themselves. */
export const ownerOf = ({ caller, organization }: OrgCtx) => ({
  owner: caller.sub,
  owner_name: caller.username,
  owner_realm: caller.realm === '' ? organization.realm : caller.realm,
})

type Rows = {
  body: PostedTrigger
  data: TriggerData
  secrets: ActionSecrets
  before?: TriggerRow | undefined
}

/** Row of a trigger as it is saved now. */
export function toRow(
  { secrets: sealer }: Pick<TriggersDeps, 'secrets'>,
  ctx: OrgCtx,
  { body, data, secrets, before }: Rows,
): TriggerRow {
  const id = before?.id ?? randomUUID()
  const disabled = body.disabled ?? false
  const { resourceId: org, realm } = ctx.organization
  const first = { org, realm, version: 0, last_run_at: null, created_at: ctx.now }
  const known = before ?? first
  return {
    id,
    org: known.org,
    realm: known.realm,
    name: body.name,
    disabled,
    below: data.longreach.below,
    version: known.version + 1,
    device_groups: body.deviceGroups.map(String),
    data,
    secrets: sealSecrets(sealer, id, secrets),
    ...ownerOf(ctx),
    policy_at: judgedSince(before, { disabled, policy: data.policy }) ?? ctx.now,
    stopped: null,
    last_run_at: known.last_run_at,
    created_at: known.created_at,
    updated_at: ctx.now,
  }
}

type Judged = { disabled: boolean; policy: unknown }

/** Time since which a trigger is judged by this policy; undefined when that begins anew. */
function judgedSince(before: TriggerRow | undefined, { disabled, policy }: Judged) {
  if (!before || before.stopped || before.disabled !== disabled) return undefined
  const isSame = isDeepStrictEqual(before.data.policy, JSON.parse(JSON.stringify(policy)))
  return isSame ? before.policy_at : undefined
}
