import type { Call, Client } from '@longreach/kit/client'
import type { Contract, Endpoint, Input } from '@longreach/kit/contract'
import { arrive } from './arrive.ts'

/**
 * The calls of one service, whose contract comes over the network when the first of them is wanted:
 * a page loads only the contracts that it calls. A contract that did not come is asked for again.
 */
export function lateClient<C extends Contract>(
  service: C['service'],
  load: () => Promise<Client<C>>,
): Client<C> {
  let coming: Promise<Client<C>> | undefined
  const whole = () => {
    coming ??= arrive(load).catch((error: unknown) => {
      coming = undefined
      throw error
    })
    return coming as Promise<Client<Contract>> // its calls are found by name
  }
  const callOf = (name: string): Call<Endpoint> => {
    const call = async (input: Input<Endpoint>, options?: { signal?: AbortSignal }) => {
      const found = (await whole())[name]
      if (found === undefined) throw new Error(`${service} has no call ${name}`)
      return found(input, options)
    }
    return Object.assign(call, { key: `${service}.${name}` })
  }
  const made = new Map<string, Call<Endpoint>>()
  const get = (_: object, name: string | symbol) => {
    if (typeof name === 'symbol') return undefined
    const call = made.get(name) ?? callOf(name)
    made.set(name, call)
    return call
  }
  return new Proxy({}, { get }) as Client<C> // one call for each name, made when it is named
}
