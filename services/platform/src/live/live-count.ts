import type { Caller } from '@longreach/kit/service'
import type { LiveLimits } from './live-messages.ts'

type Limits = Pick<LiveLimits, 'perSession' | 'perNetwork' | 'ungreeted'>

/** Count of live sockets by network and by session, and of those without a hello by network. */
export function createLiveCount(limits: Limits) {
  const counts = new Map<string, number>()
  const add = (key: string, change: number) => {
    const count = (counts.get(key) ?? 0) + change
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  const has = (key: string) => counts.get(key) ?? 0

  return {
    /** Count a socket of a network; undefined when the network has as many as it may. */
    open(network: string) {
      const [open, ungreeted] = [`open ${network}`, `ungreeted ${network}`]
      if (has(open) >= limits.perNetwork || has(ungreeted) >= limits.ungreeted) return undefined
      add(open, 1)
      add(ungreeted, 1)
      let session: string | undefined
      return {
        /** Count it for its session; false when that has as many as it may. */
        greet(caller: Caller) {
          if (session !== undefined) return true
          const key = `session ${sessionOf(caller)}`
          if (has(key) >= limits.perSession) return false
          session = key
          add(ungreeted, -1)
          add(session, 1)
          return true
        },
        close() {
          add(open, -1)
          add(session ?? ungreeted, -1)
        },
      }
    },
    /** Nothing is counted any more. */
    isEmpty: () => counts.size === 0,
  }
}

/** Of keys and service accounts, which have no session: the key, the account. */
const sessionOf = ({ session, apiKey, realm, sub }: Caller) =>
  session ?? (apiKey ? `key ${apiKey.id}` : `${realm}/${sub}`)
