import type { OrgCtx } from '@longreach/kit/service'

/** Who asks, as core needs it to look up what they may do. */
export const asking = ({ caller, organization, subtree, ip }: OrgCtx) => ({
  caller,
  organization: organization.resourceId,
  subtree,
  ip,
})
