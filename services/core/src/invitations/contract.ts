import { definePartContract } from '@longreach/kit/contract'
import { invitationEndpoints } from './invitation-contract.ts'

export const invitationsContract = definePartContract({
  errors: {
    /** Too many people were asked to join and have not answered. */
    too_many_invitations: 409,
  },
  endpoints: invitationEndpoints,
})
