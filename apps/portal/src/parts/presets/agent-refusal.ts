import { AppError } from '@longreach/kit/errors'
import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'

type AgentFault = NonNullable<
  Result<(typeof platformContract)['endpoints']['commandAgent']>['error']
>

/**
 * A gateway's agent did not do what it was asked. Its code has words of the reader's language; what the
 * machine said itself is quoted in them. `field` is the part of the source that is wrong.
 */
export const agentRefusal = ({ code, message: said, field }: AgentFault) =>
  new AppError(422, `agent.${code}`, { said, ...(field !== undefined && { field }) })

/** No answer came in time. */
export const agentSilent = () => new AppError(504, 'agent.silent')

/** Nothing came from the gateway, whose words the place of the call has. */
export const isSilent = (error: unknown) =>
  error instanceof AppError && error.code === 'agent.silent'

/** The part of a source that the agent refused. */
export const refusedField = (error: unknown) =>
  error instanceof AppError && typeof error.details['field'] === 'string'
    ? error.details['field']
    : undefined
