import { mappingsContract } from '@longreach/mappings/contract'
import { contractClient } from './contract-client.ts'

/** The calls of the service `mappings`. */
export const mappingsClient = contractClient(mappingsContract)
