import { AsyncLocalStorage } from 'node:async_hooks'

const call = new AsyncLocalStorage<Set<string>>()

/** Note that the call under way publishes an event of this topic. */
export const notePublished = (topic: string) => void call.getStore()?.add(topic)

/**
 * Do a call, and tell this process of what it published before its answer leaves: who has the answer
 * may rely on the change at once, however late the database announces it.
 */
export async function tellingAtOnce<T>(
  work: () => Promise<T>,
  tell: (topic: string) => void,
): Promise<T> {
  const topics = new Set<string>()
  try {
    return await call.run(topics, work)
  } finally {
    for (const topic of topics) tell(topic)
  }
}
