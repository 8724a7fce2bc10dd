import { coreContract } from '@longreach/core/contract'
import { contractClient } from './contract-client.ts'

/** The calls of the service `core`. */
export const coreClient = contractClient(coreContract)
