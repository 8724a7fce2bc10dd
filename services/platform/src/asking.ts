import type { OrgCtx } from '@longreach/kit/service'

/** Caller of platform in the form in which other services look up their rights, with the subtree of the call. */
export const toAsking = ({ caller, organization, subtree, ip }: OrgCtx) => ({
  caller,
  organization: organization.resourceId,
  subtree,
  ip,
})
