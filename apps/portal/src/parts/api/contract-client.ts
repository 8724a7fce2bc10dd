import type { Client } from '@longreach/kit/client'
import type { Contract, Endpoint, Input } from '@longreach/kit/contract'
import { answerTo } from './answer.ts'
import { type Times, withTimes } from './times.ts'

/** Endpoint as it runs: with its schemas in tests, with the places of times in a build (`wire-contracts.ts`). */
type Running = Pick<Endpoint, 'method' | 'path' | 'base'> & Partial<Endpoint> & { times?: Times }

/** Typed calls of one service, with the person's token. */
export function contractClient<C extends Contract>(contract: C): Client<C> {
  const calls = Object.entries<Running>(contract.endpoints).map(([name, endpoint]) => {
    const call = async (input: Input<Endpoint>, options?: { signal?: AbortSignal }) =>
      read(endpoint, await answerTo(contract, endpoint, input, options))
    return [name, Object.assign(call, { key: `${contract.service}.${name}` })]
  })
  return Object.fromEntries(calls) as Client<C> // built from the contract's own keys
}

/** In a build the server has checked the answer; where there is a schema, the answer is held against it. */
function read({ result, times }: Running, answer: unknown) {
  if (result !== undefined) return result.parse(answer)
  return times === undefined ? answer : withTimes(answer, times)
}
