import { triggersContract } from '@longreach/triggers/contract'
import { contractClient } from '../api/contract-client.ts'

/** Calls of triggers, apart from `api` so that only pages that show them load them. */
export const triggersApi = contractClient(triggersContract)
