import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { LogPage, LogPlace } from './log-merge.ts'
import { nextLines } from './log-merge.ts'
import type { LogQuestion, LogSource } from './log-source.ts'

const pageSize = 200
const mostExported = 10_000

const beginning: LogPlace = {}

const readPage = (
  sources: readonly LogSource[],
  question: LogQuestion,
  { place, count, signal }: { place: LogPlace; count: number; signal?: AbortSignal },
): Promise<LogPage> =>
  nextLines(
    sources.map(({ name }) => name),
    place,
    count,
    async (name, next) => {
      const source = sources.find((one) => one.name === name)
      if (!source) throw new Error(`no source ${name}`)
      return source.read(question, next, signal)
    },
  )

/** Lines of sources by time, page after page as the reader goes down. */
export const useLogLines = (sources: readonly LogSource[], question: LogQuestion) =>
  useInfiniteQuery({
    queryKey: ['log', sources.map(({ name }) => name).join(' '), question],
    queryFn: ({ pageParam, signal }) =>
      readPage(sources, question, { place: pageParam, count: pageSize, signal }),
    initialPageParam: beginning,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // Lines hold functions, which no comparison of data follows.
    structuralSharing: false,
  })

/** Lines of sources for a file, 10,000 at most. */
export const exportedLines = (sources: readonly LogSource[], question: LogQuestion) =>
  readPage(sources, question, { place: beginning, count: mostExported })
