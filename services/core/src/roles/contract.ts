import { definePartContract } from '@longreach/kit/contract'
import { modelPathEndpoints } from './model-path-contract.ts'
import { roleEndpoints } from './role-contract.ts'

export const rolesContract = definePartContract({
  errors: {
    /** No pattern of model paths. */
    bad_path: 422,
    /** Only roles for devices have model paths. */
    paths_need_device_role: 422,
    no_such_permission: 422,
  },
  endpoints: {
    ...roleEndpoints,
    ...modelPathEndpoints,
  },
})
