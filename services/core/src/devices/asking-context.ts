import { can } from '@longreach/authorization/can'
import type { Permission } from '@longreach/authorization/permissions'
import { AppError } from '@longreach/kit/errors'
import type { Caller, OrgCtx } from '@longreach/kit/service'
import type { CoreDeps } from '../deps.ts'
import { noDevice } from './device-access.ts'

type Asking = { caller: Wire<Caller>; organization: string; subtree: boolean; ip: string }
type Wire<T> = { [K in keyof T]: T[K] | undefined } & Pick<
  T,
  Extract<keyof T, 'kind' | 'sub' | 'username' | 'realm'>
>
type Now = Pick<OrgCtx, 'now' | 'signal'>

/** Context of a call that another service makes for a person, with their present rights. */
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

/** 403 for somebody who lacks this right in the organization of their call. */
export function checkPermission({ capability }: OrgCtx, permission: Permission) {
  const [resource = '', action = ''] = permission.split(':')
  if (can(capability, resource as 'devices', action as 'update')) return
  const message = `You lack the right ${permission}.`
  throw new AppError(403, 'auth.missing_permission', { permission, message })
}
