import type { Input, Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import { agentRefusal, agentSilent, isSilent } from '../../../parts/presets/agent-refusal.ts'
import { api, query } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { SourceListing } from './agent-answers.ts'

type Calls = (typeof platformContract)['endpoints']
/** Health of a gateway's agent. */
export type AgentHealth = NonNullable<Result<Calls['agent']>['health']>
/** Command to a gateway's agent. */
type AgentRequest = Input<Calls['commandAgent']>['body']

const [firstWaitMs, laterWaitMs, mostMs] = [20_000, 10_000, 90_000]

/** Test of the device: true when it is a gateway with the product's agent. */
export function useIsGateway(deviceId: string) {
  const org = useReach()
  const asked = query(api.platform.agent, { params: { org, deviceId } })
  return useQuery({ ...asked, staleTime: 60_000 }).data?.announced ?? false
}

/** Facts that the gateway's agent reports about itself. */
export function useAgent(deviceId: string) {
  const org = useReach()
  return useQuery({
    ...query(api.platform.agent, { params: { org, deviceId } }),
    refetchInterval: 10_000,
  })
}

/** Ask the agent, wait for its answer, and read it. Throws an {@link agentRefusal} when it says no. */
export function useAgentCommand(deviceId: string) {
  const org = useReach()
  return useCallback(
    async <S extends z.ZodType>(request: AgentRequest, answer: S): Promise<z.output<S>> => {
      const params = { org, deviceId }
      const body = { ...request, timeoutMs: firstWaitMs }
      const until = Date.now() + mostMs
      let state = await api.platform.commandAgent({ params, body })
      while (state.state === 'WAITING' && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, laterWaitMs / 10))
        state = await api.platform.agentCommand({ params: { ...params, id: state.id } })
      }
      if (state.error) throw agentRefusal(state.error)
      if (state.state !== 'DONE') throw agentSilent()
      return answer.parse(state.result)
    },
    [org, deviceId],
  )
}

/** The agent's sources as they are there now. */
export function useSources(deviceId: string, enabled: boolean) {
  const ask = useAgentCommand(deviceId)
  return useQuery({
    queryKey: ['agent-sources', deviceId],
    queryFn: () => ask({ command: 'sources.read', input: {} }, SourceListing),
    enabled,
    retry: false,
    refetchInterval: 20_000,
  })
}

/** A failure in words; `silent` is what is said where no answer came in time. */
export function useAgentErrorText() {
  const errorText = useErrorText()
  return useCallback(
    (error: unknown, silent: string) => (isSilent(error) ? silent : errorText(error).message),
    [errorText],
  )
}
