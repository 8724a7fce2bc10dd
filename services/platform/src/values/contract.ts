import { definePartContract } from '@longreach/kit/contract'
import { consoleEndpoints } from './console-contract.ts'
import { tagEndpoints } from './tag-calls-contract.ts'

export const valuesContract = definePartContract({
  endpoints: { ...tagEndpoints, ...consoleEndpoints },
})
