import { alarmsContract } from '@longreach/alarms/contract'
import { contractClient } from './contract-client.ts'

/** The calls of the service `alarms`. */
export const alarmsClient = contractClient(alarmsContract)
