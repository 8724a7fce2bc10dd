import { definePartContract } from '@longreach/kit/contract'
import { importEndpoints, importEvents } from './import-contract.ts'

export const importsContract = definePartContract({
  errors: {
    unreadable_table: 422,
  },
  endpoints: importEndpoints,
  events: importEvents,
})
