import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import type { Caller, Handlers, OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { changeDevicesOf } from './policy-devices.ts'
import { groupsOfDevice, policiesByIds } from '../policies/policy-store.ts'
import { noDevice } from './device-access.ts'
import { moveDevice, requireTarget } from './device-moving.ts'
import type { forMappingsEndpoints } from './for-mappings-contract.ts'
import { lossesOf } from './move-losses.ts'
import { foldedText } from '../search-text.ts'

type ForMappings = Pick<Handlers<typeof coreContract>, keyof typeof forMappingsEndpoints>

const mostNamed = 500

/** Handlers for the lists and the long work of mappings, device by device for one caller. */
export const forMappings = (deps: CoreDeps): ForMappings => ({
  organizationsNamed: async ({ query: { above, search } }) => {
    const rows = await deps.db
      .selectFrom('organization as o')
      .select('o.resource_id')
      .where('o.status', '=', 'ACTIVE')
      .where(sql<boolean>`starts_with(o.resource_id, ${`${above}.`})`)
      .where(
        sql<boolean>`strpos(${foldedText(sql`o.label || ' ' || o.name`)}, ${foldedText(sql`${search}`)}) > 0`,
      )
      .limit(mostNamed)
      .execute()
    return rows.map(({ resource_id }) => resource_id)
  },

  groupSeen: async ({ params: { policy }, body }, ctx) => {
    const { organization } = await contextOfAsking(deps, body, ctx)
    const found = await policiesByIds(deps.db, organization.id, [policy])
    return { found: found.length > 0 }
  },

  changeGroupFor: async ({ params: { policy, device }, body: { inside, ...asking } }, ctx) => {
    const call = await contextOfAsking(deps, asking, ctx)
    if (!can(call.capability, 'devicegroups', 'update'))
      throw missingPermission('devicegroups:update')
    // Not in it already: nothing to do, and no fault.
    if (!inside && !(await groupsOfDevice(deps.db, device)).includes(policy)) return undefined
    const [add, remove] = inside ? [[device], []] : [[], [device]]
    return changeDevicesOf(deps.db, call, { policy, add, remove })
  },

  moveFor: async ({ params: { device }, body }, ctx) => {
    const { organizationImportToken: token, work, notes, ...asking } = body
    const call = await mayMove(deps, asking, ctx)
    await moveDevice(deps, call, { id: device, token, work, notes })
  },

  moveCheckFor: async ({ body: { organizationImportToken: token, devices, ...asking } }, ctx) => {
    const call = await mayMove(deps, asking, ctx)
    const { resource_id: resourceId, ...to } = await requireTarget(deps, call, { token })
    return {
      to: { id: to.id, label: to.label, resourceId },
      items: devices.length === 0 ? [] : await lossesOf(deps, devices, to),
    }
  },
})

type Asking = { caller: Wire<Caller>; organization: string; subtree: boolean; ip: string }
type Wire<T> = { [K in keyof T]: T[K] | undefined } & Pick<
  T,
  Extract<keyof T, 'kind' | 'sub' | 'username' | 'realm'>
>
type Now = Pick<OrgCtx, 'now' | 'signal'>

/** Context of a call that mappings makes for a person, with their present rights. */
export async function contextOfAsking(
  { admit }: CoreDeps,
  { caller, organization, subtree: asked, ip }: Asking,
  { now, signal }: Now,
): Promise<OrgCtx> {
  const who = caller as Caller // JSON knows no undefined
  const admission = await admit(who, organization)
  if (!admission) throw noDevice('of this kind')
  const subtree = asked && admission.below
  const capability = subtree
    ? (admission.capabilityBelow ?? admission.capability)
    : admission.capability
  return { caller: who, ip, now, signal, ...admission, capability, subtree }
}

async function mayMove(deps: CoreDeps, asking: Asking, now: Now) {
  const call = await contextOfAsking(deps, asking, now)
  if (!can(call.capability, 'devices', 'delete')) throw missingPermission('devices:delete')
  return call
}

/** 403: a right is missing. */
export const missingPermission = (permission: string) =>
  new AppError(403, 'auth.missing_permission', {
    permission,
    message: `You lack the right ${permission}.`,
  })
