import {
  AgentCommand,
  type AgentAnswer,
  longestAnswer,
} from '@longreach/device-protocol/agent-wire'
import type { Logger } from 'pino'
import { CommandFault } from './command-fault.ts'
import { messageOf } from './retry.ts'
import { parseJson } from './parse-json.ts'

type Input<C extends AgentCommand['command']> = Extract<AgentCommand, { command: C }>['input']
/** Handlers of the commands; their results are answered as JSON. */
type CommandHandlers = {
  [C in AgentCommand['command']]: (input: Input<C>) => unknown
}

/** Limit of simultaneous commands that access machines, because they may be slow and load them. */
const mostAtOnce = 4
const remembered = 200

/** Runs the platform's commands. A repeated command runs once and is answered twice. */
export function createCommands(handlers: CommandHandlers, log: Logger) {
  const known = new Map<string, Promise<AgentAnswer>>()
  let running = 0

  async function carryOut({ id, command, input }: AgentCommand): Promise<AgentAnswer> {
    if (running >= mostAtOnce) {
      return fault(id, new CommandFault('failed', 'the agent works on other commands; try again'))
    }
    running += 1
    try {
      const handler = handlers[command] as (input: unknown) => unknown // the schema ties command and input together
      return boundAnswer({ id, ok: true, result: (await handler(input)) ?? {} })
    } catch (error) {
      if (!(error instanceof CommandFault)) log.warn({ command }, messageOf(error))
      return fault(id, error)
    } finally {
      running -= 1
    }
  }

  /** Answer to a command; undefined when it cannot be answered. */
  return async (text: string): Promise<AgentAnswer | undefined> => {
    const raw = parseJson(text)
    const parsed = AgentCommand.safeParse(raw)
    if (!parsed.success) {
      const { id } = (raw ?? {}) as { id?: unknown } // checked in the next line
      log.warn('a command is not understood')
      const [issue] = parsed.error.issues
      const why = `this agent does not know such a command: ${issue?.message ?? ''}`
      return typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)
        ? fault(id, new CommandFault('invalid', why, issue?.path.join('.')))
        : undefined
    }
    const { id, command } = parsed.data
    const earlier = known.get(id)
    if (earlier) return earlier
    log.info({ command }, 'a command of the platform')
    const answer = carryOut(parsed.data)
    known.set(id, answer)
    const [oldest] = known.keys()
    if (known.size > remembered && oldest !== undefined) known.delete(oldest)
    return answer
  }
}

function boundAnswer(answer: AgentAnswer): AgentAnswer {
  if (JSON.stringify(answer).length < longestAnswer - 1_000) return answer
  const fewer = new CommandFault('failed', 'the answer is over 1 MB; ask for less at once')
  return fault(answer.id, fewer)
}

function fault(id: string, error: unknown): AgentAnswer {
  const known = error instanceof CommandFault
  return {
    id,
    ok: false,
    error: {
      code: known ? error.code : 'failed',
      message: messageOf(error).slice(0, 2_000) || 'it failed without a reason',
      ...(known && error.field !== undefined && { field: error.field.slice(0, 500) }),
    },
  }
}
