import { definePartContract } from '@longreach/kit/contract'
import { mailEndpoints } from './mail-contract.ts'

export const mailsContract = definePartContract({
  errors: {
    /** The link in the mail is dead: a new one is needed, not another attempt. */
    mail_outlived: 409,
  },
  endpoints: mailEndpoints,
})
