import type { Authorizer, Caller, CallerCtx, OrgCtx } from '@longreach/kit/service'

/** Caller of mappings in the form in which core looks up their rights, with the subtree of the call. */
export const toAsking = ({ caller, organization, subtree, ip }: OrgCtx) => ({
  caller,
  organization: organization.resourceId,
  subtree,
  ip,
})

type Asking = { caller: object; organization: string; subtree: boolean }

/** Context of a call that another service makes for a person, with their present rights; undefined without access. */
export async function contextOfAsking(
  { admit }: { admit: Authorizer },
  asking: Asking,
  { now, ip, signal }: CallerCtx,
): Promise<OrgCtx | undefined> {
  const caller = asking.caller as Caller // the other service sends the caller of the first call
  const admission = await admit(caller, asking.organization)
  if (!admission) return undefined
  const subtree = asking.subtree && admission.below
  const capability = subtree
    ? (admission.capabilityBelow ?? admission.capability)
    : admission.capability
  return { ...admission, capability, subtree, caller, now, ip, signal }
}
