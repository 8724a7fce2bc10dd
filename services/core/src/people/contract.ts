import { definePartContract } from '@longreach/kit/contract'
import { importEndpoints } from './import-contract.ts'
import { securityEndpoints } from './security-contract.ts'
import { userEndpoints } from './user-contract.ts'

export const peopleContract = definePartContract({
  errors: {
    /** So many match that their sign-ins are not looked through. */
    too_many_people: 422,
    is_disabled: 409,
    /** A program has neither password nor mail. */
    is_service_account: 422,
    /** The file is no table that can be read. */
    unreadable_table: 422,
    /** The result of an import is there when the import is done. */
    not_done: 409,
  },
  endpoints: {
    ...userEndpoints,
    ...importEndpoints,
    ...securityEndpoints,
  },
})
