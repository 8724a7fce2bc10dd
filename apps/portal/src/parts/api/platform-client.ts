import { platformContract } from '@longreach/platform/contract'
import { contractClient } from './contract-client.ts'

/** The calls of the service `platform`. */
export const platformClient = contractClient(platformContract)
