import type { Contract, Endpoint, Input, Result } from './contract.ts'
import { errorBody } from './contract.ts'
import { AppError } from './errors.ts'
import { type Sent, urlOf } from './url-of.ts'

export type Call<E extends Endpoint> = {
  (input: Input<E>, options?: { signal?: AbortSignal }): Promise<Result<E>>
  /** Name for caches and logs, for example `service.call`. */
  key: string
}
export type Client<C extends Contract> = { [K in keyof C['endpoints']]: Call<C['endpoints'][K]> }

/**
 * Typed client for one contract. The `fetch` decides where the service is: in the browser, another
 * process, or the same process.
 */
export function client<C extends Contract>(contract: C, fetch: typeof globalThis.fetch): Client<C> {
  const calls = Object.entries(contract.endpoints).map(([name, endpoint]) => {
    const call = async (input: Sent, { signal }: { signal?: AbortSignal } = {}) =>
      readAnswer(
        endpoint,
        await fetch(urlOf(contract, endpoint, input), {
          method: endpoint.method,
          ...(signal && { signal }),
          ...(endpoint.body && {
            body: JSON.stringify(input.body),
            headers: { 'content-type': 'application/json' },
          }),
        }),
      )
    return [name, Object.assign(call, { key: `${contract.service}.${name}` })]
  })
  return Object.fromEntries(calls) as Client<C> // built from the contract's own keys
}

async function readAnswer(endpoint: Endpoint, response: Response) {
  if (response.ok) {
    return endpoint.result.parse(response.status === 204 ? undefined : await response.json())
  }
  const body: unknown = await response.json().catch(() => undefined) // not JSON: handled below
  const error = errorBody.safeParse(body)
  if (error.success) throw new AppError(response.status, error.data.code, error.data.details)
  throw new AppError(response.status, 'unexpected_response')
}
