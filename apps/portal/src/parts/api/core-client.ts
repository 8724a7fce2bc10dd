import './schemas-without-eval.ts'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { authorizedFetch } from './send.ts'

/** The calls of the service `core`. */
export const coreClient = client(coreContract, authorizedFetch)
