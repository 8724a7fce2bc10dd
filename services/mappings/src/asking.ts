import type { OrgCtx } from '@longreach/kit/service'

/** Caller of mappings in the form in which core looks up their rights, with the subtree of the call. */
export const toAsking = ({ caller, organization, subtree, ip }: OrgCtx) => ({
  caller,
  organization: organization.resourceId,
  subtree,
  ip,
})
