import { setTimeout as wait } from 'node:timers/promises'
import { asker, bearer } from '../asking.ts'
import { tokensByHttp } from '../calls.ts'
import type { GroupServer } from '../server-group.ts'
import type { Chance } from './chance.ts'

type Person = { username: string; password: string; organization: string }
/** Answer of one of the servers; status 0 when it gave none. */
export type Reply = { server: number; status: number; text: string }

const patienceMs = 10_000
const freshForMs = 120_000

/** Rejects when the work takes longer; what it would have answered is not used. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const over = new AbortController()
  const late = wait(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error('no answer in time')
  })
  late.catch(() => undefined) // aborted when the work was faster
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}

/** Person who is signed in and asks any of the servers, of which some do not run. */
export function makePerson(servers: readonly GroupServer[], chance: Chance, person: Person) {
  let session: { token: string; at: number } | undefined
  const anyServer = () => chance.between(0, servers.length - 1)
  const urlOf = (server: number) => servers[server]?.own ?? ''

  const token = async () => {
    if (session && Date.now() - session.at < freshForMs) return session.token
    for (;;) {
      const tokens = await within(tokensByHttp(urlOf(anyServer()), person), patienceMs).catch(
        () => undefined, // that server does not run
      )
      if (tokens?.access_token) {
        session = { token: tokens.access_token, at: Date.now() }
        return session.token
      }
      await wait(200)
    }
  }
  const askWith = async (
    headers: Record<string, string>,
    [method, path, body]: Call,
    server = anyServer(),
  ): Promise<Reply> => {
    const asked = asker(urlOf(server), headers)(method, path, body)
    const answer = await within(asked, patienceMs).catch(() => ({ status: 0, text: '' }))
    return { server, status: answer.status, text: answer.text }
  }
  const ask = async (call: Call, server?: number) => askWith(bearer(await token()), call, server)
  return {
    ...person,
    token,
    askWith,
    ask,
    /** Asks one server after the other until one has answered below 500, as a patient client does. */
    async askUntil(...call: Call): Promise<Reply> {
      for (;;) {
        const reply = await ask(call)
        if (reply.status !== 0 && reply.status < 500 && reply.status !== 401) return reply
        if (reply.status === 401) session = undefined
        await wait(300)
      }
    },
  }
}
export type SignedIn = ReturnType<typeof makePerson>
type Call = [method: string, path: string, body?: unknown]
