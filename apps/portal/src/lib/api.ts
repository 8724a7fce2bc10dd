import './schemas-without-eval.ts'
import { coreContract } from '@longreach/core/contract'
import { type Call, client } from '@longreach/kit/client'
import type { Endpoint, Input } from '@longreach/kit/contract'
import { mappingsContract } from '@longreach/mappings/contract'
import { platformContract } from '@longreach/platform/contract'
import { queryOptions } from '@tanstack/react-query'
import { queries } from './queries.ts'
import { authorizedFetch } from './send.ts'

export const api = {
  core: client(coreContract, authorizedFetch),
  mappings: client(mappingsContract, authorizedFetch),
  platform: client(platformContract, authorizedFetch),
}

/** Query options for one call: the key is the endpoint and its input. */
export const query = <E extends Endpoint>(call: Call<E>, input: Input<E>) =>
  queryOptions({ queryKey: [call.key, input], queryFn: ({ signal }) => call(input, { signal }) })

/** Forget every cached answer of an endpoint, whatever its input was. */
export const stale = (call: { key: string }) => queries.invalidateQueries({ queryKey: [call.key] })
