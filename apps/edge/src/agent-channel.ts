import type { AgentAnswer, AgentHealth } from '@longreach/device-protocol/agent-wire'
import { decodePayload, encodeBson } from '@longreach/device-protocol/payload'
import type { topicsOf } from '@longreach/device-protocol/topics'
import type { Logger } from 'pino'
import type { Connection } from './connection.ts'
import { messageOf } from './retry.ts'

/** What the agent does beside sending values: it answers commands, and says how it is. */
export type AgentSide = {
  command: (text: string) => Promise<AgentAnswer | undefined>
  health: () => Promise<AgentHealth>
  /** Call the listener when health is to be told at once; answers how to end that. */
  onTelling: (listener: () => void) => () => void
  /** The platform took this session's first messages. */
  connected: () => void
}

const everyMs = 30_000

/** The agent's side of one connection. */
export function createAgentChannel(
  { command, health, onTelling }: AgentSide,
  topics: ReturnType<typeof topicsOf>,
  log: Logger,
) {
  /** Set once the platform took the first messages: a command may come a moment before. */
  const open = Promise.withResolvers<Connection | undefined>()
  let timer: NodeJS.Timeout | undefined
  let unlisten: () => void = () => undefined

  async function send(topic: string, what: object) {
    try {
      const connection = await open.promise
      await connection?.publish(topic, encodeBson({ v: JSON.stringify(what), t: Date.now() }), 1)
    } catch (error) {
      // The session ends with its connection; the platform asks again, and health comes with the next one.
      log.debug(`not told: ${messageOf(error)}`)
    }
  }
  const tell = async () => send(topics.agentHealth, await health())

  return {
    start(on: Connection) {
      open.resolve(on)
      void tell()
      timer = setInterval(() => void tell(), everyMs)
      unlisten = onTelling(() => void tell())
    },
    /** A message on the command topic. */
    async receive(payload: Uint8Array) {
      const decoded = decodePayload(payload)
      if (!decoded.ok || typeof decoded.v !== 'string') return log.warn('a command is no text')
      const answer = await command(decoded.v)
      return answer && send(topics.agentAnswer, answer)
    },
    stop() {
      clearInterval(timer)
      unlisten()
      open.resolve(undefined)
    },
  }
}
