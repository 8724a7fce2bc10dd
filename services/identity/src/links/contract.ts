import { definePartContract } from '@longreach/kit/contract'
import { linkEndpoints } from './link-contract.ts'

export const linksContract = definePartContract({
  errors: {
    no_such_mail: 404,
    /** The link in the mail is dead: a new one is needed, not another attempt. */
    mail_outlived: 409,
  },
  endpoints: linkEndpoints,
})
