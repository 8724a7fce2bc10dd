import type { AgentAnswer, AgentHealth } from '@longreach/device-protocol/agent-wire'
import { decodePayload, encodeBson } from '@longreach/device-protocol/payload'
import type { topicsOf } from '@longreach/device-protocol/topics'
import type { Logger } from 'pino'
import type { Connection } from './connection.ts'
import { messageOf } from './retry.ts'

/** Parts of the agent beside sending values: it answers commands and reports its health. */
export type AgentSide = {
  command: (text: string) => Promise<AgentAnswer | undefined>
  health: () => Promise<AgentHealth>
  /** Registers a listener for requests to report health at once; returns how to remove it. */
  onTelling: (listener: () => void) => () => void
  /** Called when the platform has acknowledged this session's first messages. */
  connected: () => void
}

const everyMs = 30_000

/** Agent channel of one connection. */
export function createAgentChannel(
  { command, health, onTelling }: AgentSide,
  topics: ReturnType<typeof topicsOf>,
  log: Logger,
) {
  /**
   * Connection after the platform acknowledged the first messages; a command may arrive a moment
   * before.
   */
  const open = Promise.withResolvers<Connection | undefined>()
  let timer: NodeJS.Timeout | undefined
  let unlisten: () => void = () => undefined

  async function send(topic: string, what: object) {
    try {
      const connection = await open.promise
      await connection?.publish(topic, encodeBson({ v: JSON.stringify(what), t: Date.now() }), 1)
    } catch (error) {
      // The session ends with its connection; the platform repeats the command, and health follows
      // with the next one.
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
    /** Handles a message on the command topic. */
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
