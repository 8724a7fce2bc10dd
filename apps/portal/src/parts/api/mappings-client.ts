import './schemas-without-eval.ts'
import { mappingsContract } from '@longreach/mappings/contract'
import { client } from '@longreach/kit/client'
import { authorizedFetch } from './send.ts'

/** The calls of the service `mappings`. */
export const mappingsClient = client(mappingsContract, authorizedFetch)
