import { AsyncLocalStorage } from 'node:async_hooks'

const call = new AsyncLocalStorage<Set<string>>()

/** Notes that the present call publishes an event of this topic. */
export const addPublishedTopic = (topic: string) => void call.getStore()?.add(topic)

/**
 * Runs a call and announces its events in this process before the answer is sent, so that the
 * caller can rely on the change at once.
 */
export async function withImmediateEvents<T>(
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
