import './schemas-without-eval.ts'
import { platformContract } from '@longreach/platform/contract'
import { client } from '@longreach/kit/client'
import { authorizedFetch } from './send.ts'

/** The calls of the service `platform`. */
export const platformClient = client(platformContract, authorizedFetch)
