import type { Outbox } from './outbox.ts'
import { goodReading, type Source } from './tags.ts'

const everyMs = 5_000

/** State of the agent as tags: values lost since its installation, and values that wait. */
export function agentSource(outbox: Pick<Outbox, 'waiting' | 'dropped'>): Source {
  let timer: NodeJS.Timeout | undefined
  return {
    name: 'agent',
    tags: () => [
      { name: 'agent.dropped', type: 'integer' },
      { name: 'agent.buffered', type: 'integer' },
    ],
    start(report) {
      const tell = () =>
        report([
          goodReading('agent.dropped', outbox.dropped),
          goodReading('agent.buffered', outbox.waiting),
        ])
      tell()
      timer = setInterval(tell, everyMs)
    },
    write: async (tag) => {
      throw new Error(`${tag} cannot be written`)
    },
    stop: async () => clearInterval(timer),
  }
}
