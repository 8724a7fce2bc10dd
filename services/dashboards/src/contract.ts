import { joinContracts } from '@longreach/kit/contract'
import { dashboardsBase } from './asked-contract.ts'
import { assetsContract } from './assets/contract.ts'
import { draftsContract } from './drafts/contract.ts'
import { itemsContract } from './items/contract.ts'
import { sharingContract } from './sharing/contract.ts'
import { versionsContract } from './versions/contract.ts'

/** Calls of dashboards. */
export const dashboardsContract = joinContracts(
  {
    service: 'dashboards',
    base: dashboardsBase,
    errors: {
      not_found: 404,
      /** The caller sees the dashboard, and may not change it. */
      not_editor: 403,
      not_owner: 403,
      /** `details.issues` are the faults: pointer, code, what was found, the limit. */
      document_invalid: 422,
      /** The draft is a document of another program, which is kept as it is. */
      document_foreign: 409,
    },
  },
  [itemsContract, versionsContract, sharingContract, draftsContract, assetsContract],
)
