import { QueryClient } from '@tanstack/react-query'

/** Every answer that the portal keeps. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false } },
})
