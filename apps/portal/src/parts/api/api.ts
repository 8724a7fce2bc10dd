import type { alarmsContract } from '@longreach/alarms/contract'
import type { coreContract } from '@longreach/core/contract'
import type { Call } from '@longreach/kit/client'
import type { Endpoint, Input } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { platformContract } from '@longreach/platform/contract'
import { queryOptions } from '@tanstack/react-query'
import { lateClient } from './late-client.ts'
import { queries } from './queries.ts'

export const api = {
  core: lateClient<typeof coreContract>(
    'core',
    async () => (await import('./core-client.ts')).coreClient,
  ),
  mappings: lateClient<typeof mappingsContract>(
    'mappings',
    async () => (await import('./mappings-client.ts')).mappingsClient,
  ),
  platform: lateClient<typeof platformContract>(
    'platform',
    async () => (await import('./platform-client.ts')).platformClient,
  ),
  alarms: lateClient<typeof alarmsContract>(
    'alarms',
    async () => (await import('./alarms-client.ts')).alarmsClient,
  ),
}

/** Services with calls for long work: those whose contract has `jobs`. */
export type JobService = {
  [Name in keyof typeof api]: (typeof api)[Name] extends { jobs: unknown } ? Name : never
}[keyof typeof api]

/** Query options for one call: the key is the endpoint and its input. */
export const query = <E extends Endpoint>(call: Call<E>, input: Input<E>) =>
  queryOptions({ queryKey: [call.key, input], queryFn: ({ signal }) => call(input, { signal }) })

/** Forget every cached answer of an endpoint, whatever its input was. */
export const stale = (call: { key: string }) => queries.invalidateQueries({ queryKey: [call.key] })
