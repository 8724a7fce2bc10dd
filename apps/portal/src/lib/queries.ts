import { AppError } from '@longreach/kit/errors'
import { onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { NotReachable } from './not-reachable.ts'

const mostTries = 3
const askAgainMs = 10_000

// Questions wait while the server is away, and go on by themselves once it answers.
onlineManager.setEventListener((online) =>
  connection.subscribe(() => online(connection.state().reachable)),
)

const cache: QueryCache = new QueryCache({
  onError: (error, asked) => {
    if (!(error instanceof AppError && error.status >= 500)) return
    if (asked.state.data === undefined) return
    // What is known stays on the screen with its age; the server is asked again.
    asked.setState({ status: 'success', error: null })
    setTimeout(() => {
      if (asked.isActive()) void asked.fetch().catch(() => undefined) // comes here again
    }, askAgainMs)
  },
})

/** Every answer that the portal keeps. */
export const queries = new QueryClient({
  queryCache: cache,
  defaultOptions: {
    queries: {
      retry: (tries, error) =>
        error instanceof NotReachable && (!connection.state().reachable || tries < mostTries),
      retryDelay: 1_000,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: 'always',
    },
    // A change is made now or not at all: nobody expects it a while later.
    mutations: { networkMode: 'always' },
  },
})
