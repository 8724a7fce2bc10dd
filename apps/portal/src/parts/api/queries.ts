import { AppError } from '@longreach/kit/errors'
import { onlineManager, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { connection } from './connection.ts'
import { NotReachable } from './not-reachable.ts'

const mostTries = 3
const askAgainMs = 10_000

// Questions wait while the server is away, and go on by themselves once it answers.
onlineManager.setEventListener((online) =>
  connection.subscribe(() => online(connection.state().reachable)),
)

/** Answers, when the server refuses anew what a page shows, whether the page stays as it is: it then says so itself. */
export const refusal = { staysOpen: async () => false }

const cache: QueryCache = new QueryCache({
  onError: (error, asked) => {
    if (!(error instanceof AppError) || asked.state.data === undefined) return
    if (error.status < 500 && error.status !== 401 && error.status !== 403) return
    // What is known stays on the screen with its age; the server is asked again.
    asked.setState({ status: 'success', error: null })
    if (error.status === 403) return void tellRefusal(error, asked)
    setTimeout(() => {
      if (asked.isActive()) void asked.fetch().catch(() => undefined) // comes here again
    }, askAgainMs)
  },
})

async function tellRefusal(error: AppError, asked: Query<unknown, unknown>) {
  if (await refusal.staysOpen()) return
  asked.setState({ status: 'error', error, fetchStatus: 'idle' })
}

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
