import type { AgentFault } from '@longreach/device-protocol/agent-wire'

/** Error of a command that the agent does not carry out, with a text for the person who gave it. */
export class CommandFault extends Error {
  readonly code: AgentFault['code']
  readonly field: string | undefined
  constructor(code: AgentFault['code'], message: string, field?: string) {
    super(message)
    this.code = code
    this.field = field
  }
}
