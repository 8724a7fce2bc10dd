import { definePartContract } from '@longreach/kit/contract'
import { accountEndpoints } from '../accounts/account-contract.ts'

export const accountContract = definePartContract({
  errors: {
    /** An administrator who acts as somebody. */
    acting_as_somebody: 403,
    code_refused: 422,
    email_refused: 422,
    passkey_refused: 422,
    /** The present password, asked for to set a new one. */
    password_wrong: 422,
    /** Changing how one signs in needs a young sign-in. */
    sign_in_again: 403,
  },
  endpoints: accountEndpoints,
})
