import { definePartContract } from '@longreach/kit/contract'
import { tagChangeEndpoints } from './tag-change-contract.ts'
import { writeRequestEndpoints, writeRequestErrors } from './write-request-contract.ts'

export const writesContract = definePartContract({
  errors: {
    ...writeRequestErrors,
    not_writable: 422,
    /** The caller's roles give other model paths of this device. */
    path_not_allowed: 403,
    bad_value: 422,
  },
  endpoints: { ...tagChangeEndpoints, ...writeRequestEndpoints },
})
