import { definePartContract } from '@longreach/kit/contract'
import { agentEndpoints, agentErrors } from './agent-contract.ts'

export const agentsContract = definePartContract({
  errors: agentErrors,
  endpoints: agentEndpoints,
})
